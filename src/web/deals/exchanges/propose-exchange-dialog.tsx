import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor } from '@mantine/core';
import type { NavigateFunction } from 'react-router-dom';
import { useNavigate } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { NewCodeNote } from '#web/coupons/codes/new-code.tsx';
import { RisksNote } from '#web/deals/core/risks-note.tsx';
import { hasCode } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { OfferDialog } from './offer-dialog.tsx';

/** Asks the owner of a coupon to swap it for one of the viewer's own. */
export function Component({ coupon }: { coupon: Coupon }) {
  const navigate = useNavigate();
  return (
    <OfferDialog
      title={t`Propose Exchange`}
      owner={{ id: coupon.ownerId, username: coupon.ownerUsername }}
      requested={[coupon]}
      suggestsDeposit
      draftName={`exchange.${coupon.id}`}
      note={
        <>
          {coupon.isReissuable && <NewCodeNote merchant={coupon.merchant} />}
          <RisksNote />
        </>
      }
      submitLabel={t`Send exchange request`}
      mutation={trpc.exchanges.propose.useMutation()}
      done={() => [
        t`Exchange request sent`,
        <Trans key="told">
          {coupon.ownerUsername} will be told.{' '}
          <ToastLink to={paths.exchanges} navigate={navigate}>
            See your exchanges
          </ToastLink>
        </Trans>,
      ]}
      failed={[TEXTS.exchanges.proposeFailed()]}
      onFailed={(error) => {
        if (!hasCode(error, 'exchange_exists')) return false;
        toasts.neutral(
          TEXTS.exchanges.alreadyExists(),
          <Trans>
            You can change the coupon or the message of the request you sent.{' '}
            <ToastLink to={paths.requestedExchanges} navigate={navigate}>
              See your requests
            </ToastLink>
          </Trans>,
        );
        return true;
      }}
      closesOn={() => false}
    />
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
