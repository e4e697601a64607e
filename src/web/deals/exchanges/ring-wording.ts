import { t } from '@lingui/core/macro';
import { listed } from '#contract/base/locale.ts';
import type { DealStatus } from '#contract/deals/deals.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import type { ActWords } from '#web/deals/core/deal-dialogs.tsx';
import { depositRule, waitingForDeposits, waitsForDeposits } from './deposit.ts';
import { MOVES_WHEN_PAID, paymentRule, pricedLegs, waitingForMoney } from './money.ts';
import { type ExchangeAct, hasAgreed, otherParties, type StatusAct, titlesOf } from './sides.ts';

/** The label of an act's button. */
export function ringLabel(act: ExchangeAct, status: DealStatus): string {
  const labels: Record<ExchangeAct, string> = {
    accept: t`Agree`,
    reject: t`Decline`,
    complete: t`Complete`,
    cancel: status === 'pending' ? t`Withdraw` : t`Cancel`,
    revise: t`Change request`,
    counter: t`Make a counter-offer`,
  };
  return labels[act];
}

/** What happens next, in one or two sentences for this viewer. */
export function ringStep(exchange: Exchange, viewerId: number): string {
  const { gives, gets } = titlesOf(exchange, viewerId);
  switch (exchange.status) {
    case 'pending': {
      if (!hasAgreed(exchange, viewerId)) {
        return t`${exchange.requesterUsername} proposes this ring. You give ${gives} and get ${gets}. Agree or decline.`;
      }
      const missing = exchange.parties.filter(({ consentedAt }) => consentedAt === null);
      return t`You have agreed. Still to agree: ${listed(missing.map(({ username }) => username))}.`;
    }
    case 'accepted':
      if (pricedLegs(exchange).length > 0) {
        return t`Everyone has agreed. ${waitingForMoney(exchange, viewerId) ?? ''} ${MOVES_WHEN_PAID}`;
      }
      if (waitsForDeposits(exchange))
        return t`Everyone has agreed. ${waitingForDeposits(exchange, viewerId)} Then each of you can complete the ring.`;
      return t`Everyone has agreed, and all coupons are reserved. They change owners when one of you completes the ring.`;
    case 'completed':
      return t`The ring is complete: you got ${gets}.`;
    case 'rejected':
    case 'cancelled':
      return t`No coupon changed hands.`;
  }
}

/** The texts of the dialog that confirms an act. */
export function ringActWords(act: StatusAct, exchange: Exchange, viewerId: number): ActWords {
  const others = otherParties(exchange, viewerId);
  const { gives, gets } = titlesOf(exchange, viewerId);
  switch (act) {
    case 'accept':
      return {
        title: t`Agree to the ring`,
        confirm: t`Agree`,
        keep: t`Not now`,
        paragraphs: [
          t`This tells ${others} that you agree.`,
          t`Once everyone has agreed, all coupons are reserved: no other deal on them can be accepted until the ring is completed or cancelled.`,
          ...(pricedLegs(exchange).length > 0 ? [paymentRule()] : []),
          ...(exchange.deposit === null ? [] : [depositRule()]),
        ],
      };
    case 'complete':
      return {
        title: t`Complete the ring`,
        confirm: t`Complete the ring`,
        keep: t`Not now`,
        paragraphs: [
          t`All coupons change owners at once: you give ${gives} and get ${gets}.`,
          t`Everyone has agreed. This cannot be undone.`,
        ],
      };
    case 'reject':
      return {
        title: t`Decline the ring`,
        confirm: t`Decline`,
        keep: t`Keep ring`,
        paragraphs: [t`The ring ends for everyone, and ${others} will be told that you declined.`],
      };
    case 'cancel':
      return exchange.status === 'pending'
        ? {
            title: t`Withdraw the ring`,
            confirm: t`Withdraw`,
            keep: t`Keep ring`,
            paragraphs: [t`The ring ends for everyone, and ${others} will be told.`],
          }
        : {
            title: t`Cancel the ring`,
            confirm: t`Cancel the ring`,
            keep: t`Keep ring`,
            paragraphs: [t`All coupons are available for other deals again, and ${others} will be told.`],
          };
  }
}
