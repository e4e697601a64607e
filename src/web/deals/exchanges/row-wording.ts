import { t } from '@lingui/core/macro';
import { listed } from '#contract/base/locale.ts';
import type { Deal } from '#contract/deals/deal-list.ts';
import { timeLeft } from '#web/deals/core/time-left.ts';
import { depositSentence, waitsForDeposits } from './deposit.ts';
import { moneySentences, pricedLegs } from './money.ts';
import { hasAgreed, otherParties } from './sides.ts';
import { endedBecause } from './wording.ts';

type ExchangeDeal = Extract<Deal, { dealType: 'exchange' }>;

/** Where an exchange stands, in one sentence for this viewer. */
export function dealSentence(deal: ExchangeDeal, viewerId: number): string {
  const { exchange, hasOpenClaim, nextAct } = deal;
  const others = otherParties(exchange, viewerId);
  const isRing = exchange.kind === 'ring';
  if (hasOpenClaim) {
    if (nextAct === null) return t`There is a claim about a code in your exchange with ${others}.`;
    return isRing
      ? t`Someone in the ring claims that your code does not work.`
      : t`${others} claims that your code does not work.`;
  }
  switch (exchange.status) {
    case 'pending': {
      const sentence = isRing ? pendingRing(exchange, viewerId) : pendingSwap(exchange, viewerId, others);
      return [sentence, moneySentences(exchange, viewerId), depositSentence(exchange)]
        .filter(Boolean)
        .join(' ');
    }
    case 'accepted':
      if (pricedLegs(exchange).length > 0 || waitsForDeposits(exchange)) {
        const agreed = isRing
          ? t`The ring with ${others} is agreed.`
          : t`The exchange with ${others} is agreed.`;
        return [agreed, moneySentences(exchange, viewerId), depositSentence(exchange)]
          .filter(Boolean)
          .join(' ');
      }
      return isRing
        ? t`The ring with ${others} is agreed: any of you can complete it.`
        : t`The exchange with ${others} is agreed: either of you can complete it.`;
    case 'completed':
      return isRing ? t`The ring with ${others} is complete.` : t`You exchanged coupons with ${others}.`;
    case 'rejected':
    case 'cancelled':
      return isRing ? t`The ring with ${others} has ended.` : t`The exchange with ${others} has ended.`;
  }
}

function pendingSwap({ round, requesterId }: ExchangeDeal['exchange'], viewerId: number, other: string) {
  if (requesterId === viewerId) {
    return round > 1 ? t`You made ${other} a counter-offer.` : t`You proposed this exchange to ${other}.`;
  }
  return round > 1 ? t`${other} makes you a counter-offer.` : t`${other} proposes this exchange.`;
}

function pendingRing(exchange: ExchangeDeal['exchange'], viewerId: number): string {
  const { requesterUsername, parties } = exchange;
  if (!hasAgreed(exchange, viewerId)) return t`${requesterUsername} proposes this ring.`;
  const missing = parties.filter(({ consentedAt }) => consentedAt === null);
  return t`Still to agree to the ring: ${listed(missing.map(({ username }) => username))}.`;
}

/** The deadline, what is waited for, or why it ended; null if there is nothing to say. */
export function dealNote(deal: ExchangeDeal, viewerId: number, now: Date): string | null {
  const { exchange, hasOpenClaim, nextAct, deadlineAt, stage } = deal;
  const time = deadlineAt && timeLeft(deadlineAt, now);
  if (hasOpenClaim && nextAct === null) return t`A moderator decides.`;
  if (hasOpenClaim) return time ? t`Answer within ${time}.` : t`Answer before it is decided.`;
  if (stage === 'ended') return endedBecause(exchange, viewerId);
  if (!time) return t`The time to answer is over.`;
  if (exchange.status === 'accepted' && pricedLegs(exchange).length > 0) {
    if (nextAct === 'pay') return t`Pay within ${time}.`;
    return nextAct === 'set_up_payments'
      ? t`Set up a payment account, so that you can be paid.`
      : t`To be paid within ${time}.`;
  }
  if (waitsForDeposits(exchange))
    return nextAct === 'put_up_deposit'
      ? t`Put up your deposit within ${time}.`
      : t`Deposits are due within ${time}.`;
  if (exchange.status === 'accepted') return t`Complete it within ${time}.`;
  return stage === 'yours' ? t`Answer within ${time}.` : t`To be answered within ${time}.`;
}
