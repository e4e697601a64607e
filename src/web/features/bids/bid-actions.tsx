import { Anchor, Button, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Bid } from '#contract/bids.ts';
import { paths } from '#contract/pages.ts';
import { actsFor, type BidAct, payState, sideOf } from './sides.ts';
import { ACT_LABELS, amountsOf, charged, notReadyText } from './wording.ts';

interface BidActionsProps {
  readonly bid: Bid;
  readonly viewerId: number;
  readonly onAct: (act: BidAct) => void;
  /** Whether these are the screen's own acts, or those of one bid among many. */
  readonly isMain?: boolean;
}

/** An act that moves the deal on: the accent where it is what the screen is for, a hint of it in a list. */
function onward(isMain: boolean) {
  return isMain
    ? ({ variant: 'filled' } as const)
    : ({ variant: 'light', c: 'var(--mantine-color-anchor)' } as const);
}

/** What the viewer can do to a bid now (spec/2 section 4). */
export function BidActions({ bid, viewerId, onAct, isMain = false }: BidActionsProps) {
  const side = sideOf(bid, viewerId);
  const what = `${charged(amountsOf(bid).amount)} by ${bid.bidderUsername} for ${bid.coupon.title}`;
  return (
    <>
      {side === 'bidder' && <PayAction bid={bid} isMain={isMain} />}
      {actsFor(bid, side).map((act) => (
        <Button
          key={act}
          {...(act === 'accepted' ? onward(isMain) : { variant: 'default' })}
          onClick={() => onAct(act)}
          aria-label={`${ACT_LABELS[act]}: ${what}`}
        >
          {ACT_LABELS[act]}
        </Button>
      ))}
    </>
  );
}

/** The bidder's way to the checkout, or how far they have come. */
function PayAction({ bid, isMain }: { bid: Bid; isMain: boolean }) {
  switch (payState(bid)) {
    case 'payable':
      return (
        <Button
          component={Link}
          to={paths.checkout(bid.id)}
          {...onward(isMain)}
          aria-label={`Pay Now: ${charged(amountsOf(bid).buyerTotal)} for ${bid.coupon.title}`}
        >
          Pay Now
        </Button>
      );
    case 'seller_not_ready':
      return (
        <Text size="sm" flex="1 1 14rem">
          {notReadyText(bid)}
        </Text>
      );
    case 'paid':
      // Beside a bid's own details the payment has its own words.
      return isMain ? null : <Button disabled>Payment Completed</Button>;
    default:
      return null;
  }
}

/** Leads to what the parties write to each other. */
export function BidMessagesButton({ bid, onMessages }: { bid: Bid; onMessages: (bid: Bid) => void }) {
  return (
    <Button
      variant="default"
      aria-haspopup="dialog"
      aria-label={`Messages of bid #${bid.id} on ${bid.coupon.title}`}
      onClick={() => onMessages(bid)}
    >
      Messages
    </Button>
  );
}

/** Sends a seller to where payment accounts are set up. */
export function SetUpLink({ children }: { children: string }) {
  return (
    <Anchor component={Link} to={paths.sellerOnboarding} inherit underline="always">
      {children}
    </Anchor>
  );
}
