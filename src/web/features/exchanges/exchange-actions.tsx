import { Button, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Exchange } from '#contract/exchanges.ts';
import { paths } from '#contract/pages.ts';
import { actsFor, type ExchangeAct, isAgreement, sideOf, wonCoupon } from './sides.ts';
import { ACT_LABELS } from './wording.ts';

/** The link to the new coupon after a swap. */
export const OUTCOME_ID = 'exchange-outcome';

interface ExchangeActionsProps {
  readonly exchange: Exchange;
  readonly viewerId: number;
  readonly onAct: (act: ExchangeAct) => void;
  /** Whether this is the exchange's own screen rather than a row of a list. */
  readonly isMain?: boolean;
}

/** The buttons for the acts that are open to this viewer. */
export function ExchangeActions({ exchange, viewerId, onAct, isMain = false }: ExchangeActionsProps) {
  return actsFor(exchange.status, sideOf(exchange, viewerId)).map((act) => (
    <Button
      key={act}
      size={isMain ? 'sm' : 'compact-sm'}
      variant={isAgreement(act) ? (isMain ? 'filled' : 'light') : 'default'}
      c={isAgreement(act) && !isMain ? 'var(--mantine-color-anchor)' : undefined}
      onClick={() => onAct(act)}
    >
      {ACT_LABELS[act]}
    </Button>
  ));
}

interface NewCouponLinkProps {
  readonly exchange: Exchange;
  readonly viewerId: number;
  readonly isMain?: boolean;
  /** Whether the link takes the focus, as the swap has just been completed. */
  readonly hasJustSwapped?: boolean;
}

/** Links to the coupon that the viewer got, while it is still theirs. */
export function NewCouponLink({ exchange, viewerId, isMain, hasJustSwapped }: NewCouponLinkProps) {
  const won = wonCoupon(exchange, viewerId);
  if (!won) return null;
  return (
    <Button
      component={Link}
      to={paths.myCoupon(won.id)}
      size={isMain ? 'sm' : 'compact-sm'}
      variant={isMain ? 'filled' : 'default'}
      id={hasJustSwapped ? OUTCOME_ID : undefined}
      data-autofocus={hasJustSwapped || undefined}
    >
      See your new coupon
    </Button>
  );
}

interface MessagesButtonProps {
  readonly exchange: Exchange;
  readonly isMain?: boolean;
  readonly onMessages: (exchange: Exchange) => void;
}

/** Opens the messages of the parties. */
export function MessagesButton({ exchange, isMain = false, onMessages }: MessagesButtonProps) {
  return (
    <Button
      size={isMain ? 'sm' : 'compact-sm'}
      variant="default"
      aria-haspopup="dialog"
      onClick={() => onMessages(exchange)}
    >
      Messages
      <VisuallyHidden> of exchange #{exchange.id}</VisuallyHidden>
    </Button>
  );
}
