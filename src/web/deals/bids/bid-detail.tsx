import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Cents, decimalToCents } from '#contract/base/money.ts';
import type { Bid } from '#contract/deals/bids.ts';
import type { BidSide } from '#contract/deals/deals.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { Facts } from '#web/components/facts.tsx';
import { NewCodeBadge } from '#web/coupons/codes/new-code.tsx';
import { MessagesButton, NEXT_STEP_ID } from '#web/deals/core/deal-buttons.tsx';
import { DealDetail } from '#web/deals/core/deal-dialogs.tsx';
import { Standing } from '#web/deals/core/standing.tsx';
import { RateDeal } from '#web/deals/ratings/rate-deal.tsx';
import { formatDate } from '#web/lib/format.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { BidActions, NotReadyNote } from './bid-actions.tsx';
import classes from './bids.module.css';
import { partnerOf, sideOf, standingAmount } from './sides.ts';
import { amountsOf, bidSteps, charged, feeLabel, netLabel, netOf, nextStep, totalLabel } from './wording.ts';

interface BidDetailProps {
  readonly bid: Bid;
  /** What follows its payment. */
  readonly children: ReactNode;
}

/** The details of a bid: coupon, amounts, progress, next step. */
export function BidDetail({ bid, children }: BidDetailProps) {
  const side = sideOf(bid, useMember().id);
  const isBidder = side === 'bidder';
  return (
    <DealDetail
      dealType="bid"
      status={bid.status}
      head={
        <>
          <Text>{isBidder ? t`on ${bid.ownerUsername}’s coupon` : t`by ${bid.bidderUsername}`}</Text>
          <Standing person={partnerOf(bid, side)} />
        </>
      }
      next={nextOf(bid, side)}
      message={{ text: bid.message, author: bid.bidderUsername, isOwn: isBidder }}
      steps={bidSteps(bid)}
      rating={<RateDeal dealType="bid" dealId={bid.id} />}
      actions={
        <>
          <MessagesButton
            dealType="bid"
            dealId={bid.id}
            label={t`Messages of bid #${bid.id} on ${bid.coupon.title}`}
          />
          <BidActions bid={bid} isMain />
        </>
      }
    >
      {children}
      <CouponTicket coupon={bid.coupon} size="small" badges={<NewCodeBadge coupon={bid.coupon} />} />
      <Amounts bid={bid} side={side} />
      <Rounds bid={bid} />
    </DealDetail>
  );
}

/** The counter-offers, each as the difference that it made. */
function Rounds({ bid }: { bid: Bid }) {
  if (bid.counters.length === 0) return null;
  const nameOf = { bidder: bid.bidderUsername, owner: bid.ownerUsername };
  return (
    <ol className={classes.rounds} aria-label={t`Counter-offers`}>
      {bid.counters.map(({ round, by, from, to, createdAt }) => (
        <li key={round}>
          <Trans>
            {charged(decimalToCents(from))} → <b>{charged(decimalToCents(to))}</b> by {nameOf[by]},{' '}
            {formatDate(createdAt)}
          </Trans>
        </li>
      ))}
    </ol>
  );
}

function nextOf(bid: Bid, side: BidSide): ReactNode {
  const next = nextStep(bid, side, new Date());
  if (next === null) return null;
  return (
    <>
      <Text id={NEXT_STEP_ID} tabIndex={-1} role="status">
        {next}
      </Text>
      <NotReadyNote bid={bid} side={side} />
    </>
  );
}

/** The amounts of the round for this side, in the currency that is charged. */
function Amounts({ bid, side }: { bid: Bid; side: BidSide }) {
  const isAsked = standingAmount(bid) !== bid.amount;
  const [own, theirs] = bid.isAutomatic ? [t`Price`, t`Price`] : [t`Your bid`, t`Bid`];
  const { amount, buyerFee, buyerTotal, sellerFee, netAmount } = amountsOf(bid);
  const { buyer, seller } = bid.feeRates;
  const less = netOf(bid) - netAmount;
  const rows: [name: string, amount: Cents][] =
    side === 'bidder'
      ? [
          [isAsked ? t`${bid.ownerUsername} asks` : own, amount],
          [feeLabel(buyer), buyerFee],
          [totalLabel(bid), buyerTotal],
        ]
      : [
          [isAsked ? t`You ask` : theirs, amount],
          [feeLabel(seller), -sellerFee],
          ...(less === 0 ? [] : [[t`Refunds and the provider’s fee`, less] as [string, Cents]]),
          [netLabel(bid), netOf(bid)],
        ];
  return (
    <Facts
      layout="amounts"
      className={classes.breakdown}
      facts={rows.map(([name, cents], row) => ({
        name,
        value: cents < 0 ? `−${charged(-cents)}` : charged(cents),
        isTotal: row === rows.length - 1,
      }))}
    />
  );
}
