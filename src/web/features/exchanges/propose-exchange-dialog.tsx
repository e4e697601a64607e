import { Anchor } from '@mantine/core';
import type { NavigateFunction } from 'react-router-dom';
import { useNavigate } from 'react-router-dom';
import type { Coupon } from '#contract/coupons.ts';
import { paths } from '#contract/pages.ts';
import { TEXTS } from '#contract/texts.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { writeErrorText } from '#web/lib/errors.ts';
import { useForget } from '#web/lib/kept-form.ts';
import { toasts } from '#web/lib/toasts.ts';
import { OfferForm } from './offer-form.tsx';
import { useProposeExchange } from './queries.ts';

interface ProposeExchangeDialogProps {
  /** The coupon asked for. */
  readonly coupon: Coupon;
  readonly onClose: () => void;
}

/** Asks the owner of a coupon to swap it for one of the viewer's own. */
export function Component({ coupon, onClose }: ProposeExchangeDialogProps) {
  const propose = useProposeExchange();
  const navigate = useNavigate();
  const forget = useForget();
  const name = `exchange.${coupon.id}`;

  const onError = (error: unknown) => {
    const text = writeErrorText(error, 'Please try again.');
    if (text.includes('already submitted an exchange request')) {
      toasts.neutral(
        TEXTS.exchanges.alreadyExists,
        <>
          You can change the coupon or the message of the request you have sent.{' '}
          <ToastLink to={paths.requestedExchanges} navigate={navigate}>
            See your requests
          </ToastLink>
        </>,
      );
    } else toasts.failure(TEXTS.exchanges.proposeFailed, text);
  };
  const onSuccess = () => {
    forget(name);
    toasts.success(
      'Exchange request sent',
      <>
        {coupon.ownerUsername} will be told.{' '}
        <ToastLink to={paths.exchanges} navigate={navigate}>
          See your exchanges
        </ToastLink>
      </>,
    );
    onClose();
  };

  return (
    <Dialog title="Propose Exchange" size="lg" isPending={propose.isPending}>
      <OfferForm
        owner={{ id: coupon.ownerId, username: coupon.ownerUsername }}
        requested={[coupon]}
        keptAs={name}
        submitLabel="Send request"
        error={propose.error}
        onSubmit={(offer) => propose.mutate(offer, { onSuccess, onError })}
      />
    </Dialog>
  );
}

interface ToastLinkProps {
  readonly to: string;
  /** Passed in because toasts are rendered outside the router. */
  readonly navigate: NavigateFunction;
  readonly children: string;
}

/** A link inside a toast. */
function ToastLink({ to, navigate, children }: ToastLinkProps) {
  return (
    <Anchor
      href={to}
      size="sm"
      fw={600}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        void navigate(to);
      }}
    >
      {children}
    </Anchor>
  );
}
