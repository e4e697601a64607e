import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { Bid } from '#contract/deals/bids.ts';
import type { BidSide } from '#contract/deals/deals.ts';
import { actLook, focusAfterAct } from '#web/deals/core/deal-buttons.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useMayAct, useMember } from '#web/lib/viewer.tsx';
import { actsFor, mayCounter, payState, sideOf } from './sides.ts';
import { actLabel, amountsOf, charged, notReadyText } from './wording.ts';

interface BidActionsProps {
  readonly bid: Bid;
  /** Whether these are the bid's details and not a row of a list. */
  readonly isMain?: boolean;
}

/** The buttons of what the viewer can do now (spec/2 section 4). */
export function BidActions({ bid, isMain = false }: BidActionsProps) {
  const side = sideOf(bid, useMember().id);
  const mayAct = useMayAct();
  const what = t`${charged(amountsOf(bid).amount)} by ${bid.bidderUsername} for ${bid.coupon.title}`;
  const options = { focusAfter: focusAfterAct(bid.id) };
  return (
    <>
      {side === 'bidder' && <PayAction bid={bid} isMain={isMain} />}
      {(mayAct ? actsFor(bid, side) : []).map((act) => (
        <Button
          key={act}
          {...actLook(act === 'accepted', isMain)}
          onClick={() => openDialog('actOnBid', { bid, act }, options)}
          aria-label={t`${actLabel(act, bid, side)}: ${what}`}
        >
          {actLabel(act, bid, side)}
        </Button>
      ))}
      {mayAct && mayCounter(bid, side) && (
        <Button
          variant="default"
          aria-haspopup="dialog"
          aria-label={t`Counter: ${what}`}
          onClick={() => openDialog('counterBid', { bid }, options)}
        >
          <Trans>Counter</Trans>
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
          {...actLook(true, isMain)}
          aria-label={t`Pay Now: ${charged(amountsOf(bid).buyerTotal)} for ${bid.coupon.title}`}
        >
          <Trans>Pay Now</Trans>
        </Button>
      );
    case 'paid':
      // The details have a panel about the payment.
      return isMain ? null : (
        <Button disabled>
          <Trans>Payment Completed</Trans>
        </Button>
      );
    default:
      return null;
  }
}

/** What the seller has to do before an accepted bid can be paid; nothing once it can be. */
export function NotReadyNote({ bid, side, size }: { bid: Bid; side: BidSide; size?: 'sm' }) {
  if (bid.status !== 'accepted' || bid.isSellerReady) return null;
  return (
    <Text size={size} mt={size ? 0 : 4}>
      {side === 'bidder' ? (
        notReadyText(bid)
      ) : (
        <Trans>
          <SetUpLink>Set up a payment account</SetUpLink> so that {bid.bidderUsername} can pay you.
        </Trans>
      )}
    </Text>
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
