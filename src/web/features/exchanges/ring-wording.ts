import type { DealStatus } from '#contract/deals.ts';
import type { Exchange } from '#contract/exchanges.ts';
import { listed } from '#contract/locale.ts';
import type { ActWords } from '#web/components/deal-dialogs.tsx';
import { MOVES_WHEN_PAID, paymentRule, pricedLegs, waitingForMoney } from './money.ts';
import { type ExchangeAct, hasAgreed, otherParties, type StatusAct, titlesOf } from './sides.ts';

/** The label of an act's button. */
export function ringLabel(act: ExchangeAct, status: DealStatus): string {
  const labels: Record<ExchangeAct, string> = {
    accept: 'Agree',
    reject: 'Decline',
    complete: 'Complete',
    cancel: status === 'pending' ? 'Withdraw' : 'Cancel',
    revise: 'Change offer',
    counter: 'Make a counter-offer',
  };
  return labels[act];
}

/** What happens next, in one or two sentences for this viewer. */
export function ringStep(exchange: Exchange, viewerId: number): string {
  const { gives, gets } = titlesOf(exchange, viewerId);
  switch (exchange.status) {
    case 'pending': {
      if (!hasAgreed(exchange, viewerId)) {
        return `${exchange.requesterUsername} proposes this ring. You give ${gives} and get ${gets}. Agree or decline.`;
      }
      const missing = exchange.parties.filter(({ consentedAt }) => consentedAt === null);
      return `You have agreed. Still to agree: ${listed(missing.map(({ username }) => username))}.`;
    }
    case 'accepted':
      if (pricedLegs(exchange).length > 0) {
        return `Everyone has agreed. ${waitingForMoney(exchange, viewerId)} ${MOVES_WHEN_PAID}`;
      }
      return 'Everyone has agreed, and all coupons are reserved. They change owners when one of you completes the ring.';
    case 'completed':
      return `The ring is complete: you got ${gets}.`;
    case 'rejected':
    case 'cancelled':
      return 'No coupon changed hands.';
  }
}

/** The texts of the dialog that confirms an act. */
export function ringActWords(act: StatusAct, exchange: Exchange, viewerId: number): ActWords {
  const others = otherParties(exchange, viewerId);
  const { gives, gets } = titlesOf(exchange, viewerId);
  switch (act) {
    case 'accept':
      return {
        title: 'Agree to the ring',
        confirm: 'Agree',
        keep: 'Not now',
        paragraphs: [
          `This tells ${others} that you agree.`,
          'Once everyone has agreed, all coupons are reserved: no other deal on them can be accepted until the ring is completed or cancelled.',
          ...(pricedLegs(exchange).length > 0 ? [paymentRule()] : []),
        ],
      };
    case 'complete':
      return {
        title: 'Complete the ring',
        confirm: 'Complete the ring',
        keep: 'Not now',
        paragraphs: [
          `All coupons change owners at once: you give ${gives} and get ${gets}.`,
          'Everyone has agreed. This cannot be undone.',
        ],
      };
    case 'reject':
      return {
        title: 'Decline the ring',
        confirm: 'Decline',
        keep: 'Keep ring',
        paragraphs: [`The ring ends for everyone, and ${others} will be told that you declined.`],
      };
    case 'cancel':
      return exchange.status === 'pending'
        ? {
            title: 'Withdraw the ring',
            confirm: 'Withdraw',
            keep: 'Keep ring',
            paragraphs: [`The ring ends for everyone, and ${others} will be told.`],
          }
        : {
            title: 'Cancel the ring',
            confirm: 'Cancel the ring',
            keep: 'Keep ring',
            paragraphs: [`All coupons are available for other deals again, and ${others} will be told.`],
          };
  }
}
