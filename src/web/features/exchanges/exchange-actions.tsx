import { Button, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Exchange } from '#contract/exchanges.ts';
import { paths } from '#contract/pages.ts';
import { actsFor, type ExchangeAct, isAgreement, sideOf, wonCoupon } from './sides.ts';
import { ACT_LABELS } from './wording.ts';

/** The way on from a swap that has just been completed. */
export const OUTCOME_ID = 'exchange-outcome';

interface ExchangeActionsProps {
  readonly exchange: Exchange;
  readonly viewerId: number;
  readonly onAct: (act: ExchangeAct) => void;
  /** Whether these are the screen's own acts, or those of one row among many. */
  readonly isMain?: boolean;
}

/** What this viewer can do to an exchange now; nothing where nothing is left to do. */
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
  /** Takes the keyboard along to what the swap has led to. */
  readonly hasJustSwapped?: boolean;
}

/** Leads to the coupon that a completed exchange has brought, while it is still the viewer's. */
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

/** Leads to what the parties write to each other. */
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
