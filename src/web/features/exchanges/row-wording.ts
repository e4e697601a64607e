import type { Deal } from '#contract/deal-list.ts';
import { listed } from '#contract/locale.ts';
import { timeLeft } from '#web/lib/time-left.ts';
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
    if (nextAct === null) return `There is a claim about a code in your swap with ${others}.`;
    return isRing
      ? 'Someone in the ring claims that your code does not work.'
      : `${others} claims that your code does not work.`;
  }
  switch (exchange.status) {
    case 'pending': {
      const sentence = isRing ? pendingRing(exchange, viewerId) : pendingSwap(exchange, viewerId, others);
      return [sentence, moneySentences(exchange, viewerId)].join(' ').trim();
    }
    case 'accepted':
      if (pricedLegs(exchange).length > 0) {
        const agreed = isRing ? `The ring with ${others} is agreed.` : `The swap with ${others} is agreed.`;
        return [agreed, moneySentences(exchange, viewerId)].join(' ');
      }
      return isRing
        ? `The ring with ${others} is agreed: any of you can complete it.`
        : `The swap with ${others} is agreed: either of you can complete it.`;
    case 'completed':
      return isRing ? `The ring with ${others} is complete.` : `You swapped with ${others}.`;
    case 'rejected':
    case 'cancelled':
      return isRing ? `The ring with ${others} has ended.` : `The swap with ${others} has ended.`;
  }
}

function pendingSwap({ round, requesterId }: ExchangeDeal['exchange'], viewerId: number, other: string) {
  if (requesterId === viewerId) {
    return round > 1 ? `You made ${other} a counter-offer.` : `You offered ${other} this swap.`;
  }
  return round > 1 ? `${other} makes you a counter-offer.` : `${other} offers you this swap.`;
}

function pendingRing(exchange: ExchangeDeal['exchange'], viewerId: number): string {
  const { requesterUsername, parties } = exchange;
  if (!hasAgreed(exchange, viewerId)) return `${requesterUsername} proposes this ring.`;
  const missing = parties.filter(({ consentedAt }) => consentedAt === null);
  return `Still to agree to the ring: ${listed(missing.map(({ username }) => username))}.`;
}

/** The deadline, what is waited for, or why it ended; null if there is nothing to say. */
export function dealNote(deal: ExchangeDeal, viewerId: number, now: Date): string | null {
  const { exchange, hasOpenClaim, nextAct, deadlineAt, stage } = deal;
  const time = deadlineAt && timeLeft(deadlineAt, now);
  if (hasOpenClaim && nextAct === null) return 'A moderator decides.';
  if (hasOpenClaim) return time ? `Answer within ${time}.` : 'Answer before it is decided.';
  if (stage === 'ended') return endedBecause(exchange, viewerId);
  if (!time) return 'The time to answer is over.';
  if (exchange.status === 'accepted' && pricedLegs(exchange).length > 0) {
    if (nextAct === 'pay') return `Pay within ${time}.`;
    return nextAct === 'set_up_payments'
      ? 'Set up a payment account, so that you can be paid.'
      : `To be paid within ${time}.`;
  }
  if (exchange.status === 'accepted') return `Complete it within ${time}.`;
  return stage === 'yours' ? `Answer within ${time}.` : `To be answered within ${time}.`;
}
