import { Anchor, Button, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Bid } from '#contract/bids.ts';
import { decimalToCents } from '#contract/money.ts';
import { paths } from '#contract/pages.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useMayAct, useMember } from '#web/lib/viewer.tsx';
import { actsFor, mayCounter, payState, sideOf, standingAmount } from './sides.ts';
import { actLabel, amountsOf, charged, notReadyText } from './wording.ts';

/** The id of the element that takes the focus when an action has removed the pressed button. */
export const NEXT_STEP_ID = 'bid-next-step';

/** The id of the button that takes the focus in a list. */
export function detailsButtonId(id: number): string {
  return `bid-${id}-details`;
}

interface BidActionsProps {
  readonly bid: Bid;
  /** Whether these are the bid's details and not a row of a list. */
  readonly isMain?: boolean;
}

/** The variant of a button that moves the deal on: filled in the details, light in a list. */
function primaryLook(isMain: boolean) {
  return isMain
    ? ({ variant: 'filled' } as const)
    : ({ variant: 'light', c: 'var(--mantine-color-anchor)' } as const);
}

/** The buttons of what the viewer can do now (spec/2 section 4). */
export function BidActions({ bid, isMain = false }: BidActionsProps) {
  const side = sideOf(bid, useMember().id);
  const mayAct = useMayAct();
  const what = `${charged(decimalToCents(standingAmount(bid)))} by ${bid.bidderUsername} for ${bid.coupon.title}`;
  const options = { focusAfter: [NEXT_STEP_ID, detailsButtonId(bid.id)] };
  return (
    <>
      {side === 'bidder' && <PayAction bid={bid} isMain={isMain} />}
      {(mayAct ? actsFor(bid, side) : []).map((act) => (
        <Button
          key={act}
          {...(act === 'accepted' ? primaryLook(isMain) : { variant: 'default' })}
          onClick={() => openDialog('actOnBid', { bid, act }, options)}
          aria-label={`${actLabel(act, bid, side)}: ${what}`}
        >
          {actLabel(act, bid, side)}
        </Button>
      ))}
      {mayAct && mayCounter(bid, side) && (
        <Button
          variant="default"
          aria-haspopup="dialog"
          aria-label={`Counter with an amount: ${what}`}
          onClick={() => openDialog('counterBid', { bid }, options)}
        >
          Counter
        </Button>
      )}
    </>
  );
}

/** The bidder's link to the checkout, or the state of the payment. */
function PayAction({ bid, isMain }: { bid: Bid; isMain: boolean }) {
  switch (payState(bid)) {
    case 'payable':
      return (
        <Button
          component={Link}
          to={paths.checkout(bid.id)}
          {...primaryLook(isMain)}
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
      // The details have a panel about the payment.
      return isMain ? null : <Button disabled>Payment Completed</Button>;
    default:
      return null;
  }
}

/** Opens the messages of the parties. */
export function BidMessagesButton({ bid }: { bid: Bid }) {
  return (
    <Button
      variant="default"
      aria-haspopup="dialog"
      aria-label={`Messages of bid #${bid.id} on ${bid.coupon.title}`}
      onClick={() => openDialog('messages', { deal: { dealType: 'bid', dealId: bid.id } })}
    >
      Messages
    </Button>
  );
}

/** Links to the page where sellers set up payment accounts. */
export function SetUpLink({ children }: { children: string }) {
  return (
    <Anchor component={Link} to={paths.sellerOnboarding} inherit underline="always">
      {children}
    </Anchor>
  );
}
