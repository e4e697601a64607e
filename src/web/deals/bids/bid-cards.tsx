import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Text } from '@mantine/core';
import type { Bid } from '#contract/deals/bids.ts';
import type { BidSide } from '#contract/deals/deals.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { StatusBadge, ToneBadge } from '#web/components/status-badge.tsx';
import { Surface } from '#web/components/surface.tsx';
import { DetailsButton, MessagesButton } from '#web/deals/core/deal-buttons.tsx';
import { formatDate } from '#web/lib/format.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { BidActions, NotReadyNote } from './bid-actions.tsx';
import classes from './bids.module.css';
import { paymentTitle } from './protection-wording.ts';
import { sideOf } from './sides.ts';
import {
  amountsOf,
  charged,
  counterText,
  deadlineText,
  endedBecause,
  netLabel,
  netOf,
  totalLabel,
} from './wording.ts';

interface BidCardsProps {
  readonly bids: readonly Bid[];
  readonly onOpen: (bid: Bid) => void;
}

/** The viewer's own bids, each beside the ticket it is for. */
export function PlacedBids(props: BidCardsProps) {
  return (
    <PlainList gap={16}>
      {props.bids.map((bid) => (
        <Surface component="li" key={bid.id} className={classes.card}>
          <div>
            <CouponTicket coupon={bid.coupon} size="small" />
          </div>
          <div className={classes.offer}>
            <Group justify="space-between" gap="8px 12px">
              <Text span fz="xl" fw={700} className="tabular">
                {charged(amountsOf(bid).amount)}
              </Text>
              <StatusBadge dealType="bid" status={bid.status} />
            </Group>
            <Group gap="2px 16px" c="dimmed" fz="sm" style={{ overflowWrap: 'anywhere' }}>
              <span>
                {totalLabel(bid)} {charged(amountsOf(bid).buyerTotal)}
              </span>
              <span>
                <Trans>from {bid.ownerUsername}</Trans>
              </span>
              <CounterOffer bid={bid} side="bidder" />
              <span>{formatDate(bid.createdAt)}</span>
            </Group>
            <OfferFoot bid={bid} {...props} />
          </div>
        </Surface>
      ))}
    </PlainList>
  );
}

/** Bids on the viewer's coupons, grouped by coupon, the highest first. */
export function ReceivedBids(props: BidCardsProps) {
  const { bids } = props;
  const coupons = new Map(bids.map((bid) => [bid.couponId, bid.coupon]));
  return (
    <PlainList gap={16}>
      {[...coupons].map(([couponId, coupon]) => (
        <Surface component="li" key={couponId} className={classes.card}>
          <div>
            <CouponTicket coupon={coupon} size="small" />
          </div>
          <PlainList aria-label={t`Bids on ${coupon.title}`}>
            {bids
              .filter((bid) => bid.couponId === couponId)
              .map((bid) => (
                <li key={bid.id} className={classes.offer}>
                  <Group justify="space-between" gap="8px 12px">
                    <Group gap="sm">
                      <Text span fz="xl" fw={700} className="tabular">
                        {charged(amountsOf(bid).amount)}
                      </Text>
                      {bid.isHighest && (
                        <ToneBadge tone="success">
                          <Trans>Highest Bid</Trans>
                        </ToneBadge>
                      )}
                      {bid.isBelowFloor && (
                        <ToneBadge tone="neutral">
                          <Trans>Below your lowest price</Trans>
                        </ToneBadge>
                      )}
                    </Group>
                    <StatusBadge dealType="bid" status={bid.status} />
                  </Group>
                  <Group gap="2px 16px" c="dimmed" fz="sm" style={{ overflowWrap: 'anywhere' }}>
                    <span>
                      {netLabel(bid)} {charged(netOf(bid))}
                    </span>
                    <span>
                      <Trans>by {bid.bidderUsername}</Trans>
                    </span>
                    <CounterOffer bid={bid} side="owner" />
                    <span>{formatDate(bid.createdAt)}</span>
                  </Group>
                  {bid.message && <blockquote dir="auto">{bid.message}</blockquote>}
                  <OfferFoot bid={bid} {...props} />
                </li>
              ))}
          </PlainList>
        </Surface>
      ))}
    </PlainList>
  );
}

/** What the seller asks instead, while the bidder has to answer. */
function CounterOffer({ bid, side }: { bid: Bid; side: BidSide }) {
  const text = counterText(bid, side);
  return text && <span>{text}</span>;
}

/** The deadline or the reason for the end, and the buttons. */
function OfferFoot(props: BidCardsProps & { readonly bid: Bid }) {
  const { bid, onOpen } = props;
  const side = sideOf(bid, useMember().id);
  const text = paymentTitle(bid, side) ?? deadlineText(bid, side, new Date()) ?? endedBecause(bid, side);
  return (
    <>
      {text && (
        <Text size="sm" fw={600}>
          {text}
        </Text>
      )}
      <NotReadyNote bid={bid} side={side} size="sm" />
      <Group gap="sm" mt={4}>
        <BidActions bid={bid} />
        <MessagesButton
          dealType="bid"
          dealId={bid.id}
          label={t`Messages of bid #${bid.id} on ${bid.coupon.title}`}
        />
        <DetailsButton
          dealId={bid.id}
          label={t`Details of bid #${bid.id} on ${bid.coupon.title}`}
          onOpen={() => onOpen(bid)}
        />
      </Group>
    </>
  );
}
