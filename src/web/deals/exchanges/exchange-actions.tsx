import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import { actLook } from '#web/deals/core/deal-buttons.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useMayAct, useMember } from '#web/lib/viewer.tsx';
import { dueDeposit, putUpLabel } from './deposit.ts';
import { payableLeg, payLabel } from './money.ts';
import { actsFor, type ExchangeAct, isAgreement, receivedCoupon } from './sides.ts';
import { actLabel } from './wording.ts';

/** The id of the link to the new coupon after a swap. */
export const OUTCOME_ID = 'exchange-outcome';

interface ExchangeActionsProps {
  readonly exchange: Exchange;
  readonly onAct: (act: ExchangeAct) => void;
  /** Whether these are the exchange's details and not a row of a list. */
  readonly isMain?: boolean;
}

/** The buttons of what this viewer can do now. */
export function ExchangeActions({ exchange, onAct, isMain = false }: ExchangeActionsProps) {
  const viewerId = useMember().id;
  const mayAct = useMayAct();
  const acts = mayAct ? actsFor(exchange, viewerId) : [];
  const due = payableLeg(exchange, viewerId);
  const deposit = dueDeposit(exchange, viewerId);
  const size = isMain ? 'sm' : 'compact-sm';
  return (
    <>
      {due && (
        <Button component={Link} to={paths.checkout(due.bidId)} size={size} {...actLook(true, isMain)}>
          {payLabel(due)}
        </Button>
      )}
      {deposit !== null && (
        <Button
          size={size}
          aria-haspopup="dialog"
          {...actLook(true, isMain)}
          onClick={() => openDialog('putUpDeposit', { exchangeId: exchange.id, amount: deposit })}
        >
          {putUpLabel(deposit)}
        </Button>
      )}
      {acts.map((act) => (
        <Button key={act} size={size} {...actLook(isAgreement(act), isMain)} onClick={() => onAct(act)}>
          {actLabel(act, exchange)}
        </Button>
      ))}
    </>
  );
}

interface NewCouponLinkProps {
  readonly exchange: Exchange;
  readonly isMain?: boolean;
  /** Whether the swap has just been completed: then the link takes the focus. */
  readonly hasJustSwapped?: boolean;
}

/** A link to the coupon that the viewer received, while it is still theirs. */
export function NewCouponLink({ exchange, isMain, hasJustSwapped }: NewCouponLinkProps) {
  const received = receivedCoupon(exchange, useMember().id);
  if (!received) return null;
  return (
    <Button
      component={Link}
      to={paths.myCoupon(received.id)}
      size={isMain ? 'sm' : 'compact-sm'}
      variant={isMain ? 'filled' : 'default'}
      id={hasJustSwapped ? OUTCOME_ID : undefined}
      data-autofocus={hasJustSwapped || undefined}
    >
      <Trans>See your new coupon</Trans>
    </Button>
  );
}

/** A link to the counter-offer that answers an exchange. */
export function SuccessorLink({
  exchange: { replacedById },
  isMain,
}: Pick<NewCouponLinkProps, 'exchange' | 'isMain'>) {
  if (replacedById === null) return null;
  return (
    <Button
      component={Link}
      to={paths.exchange(replacedById)}
      size={isMain ? 'sm' : 'compact-sm'}
      variant={isMain ? 'filled' : 'default'}
    >
      <Trans>See the counter-offer</Trans>
    </Button>
  );
}
