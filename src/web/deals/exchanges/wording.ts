import { t } from '@lingui/core/macro';
import {
  COUNTER_HOURS,
  DEADLINE_DAYS,
  type DealReason,
  type DealStatus,
  RING_CONSENT_HOURS,
  ROUNDS_MAX,
} from '#contract/deals/deals.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import { DEPOSIT_COMPLETE_DAYS, DEPOSIT_HOURS } from '#contract/money/deposits.ts';
import type { ActWords } from '#web/deals/core/deal-dialogs.tsx';
import { depositRule, waitingForDeposits, waitsForDeposits } from './deposit.ts';
import { MOVES_WHEN_PAID, PAY_HOURS, paymentRule, pricedLegs, waitingForMoney } from './money.ts';
import { ringActWords, ringLabel, ringStep } from './ring-wording.ts';
import { type ExchangeAct, otherParties, type StatusAct, sideOf, titlesOf } from './sides.ts';

/** The labels of the buttons of a swap. */
const ACT_LABELS = {
  accept: t`Accept`,
  reject: t`Reject`,
  complete: t`Complete`,
  cancel: t`Cancel`,
  revise: t`Change request`,
  counter: t`Make a counter-offer`,
} as const;

/** The label of an act's button. */
export function actLabel(act: ExchangeAct, { kind, status }: Exchange): string {
  return kind === 'ring' ? ringLabel(act, status) : ACT_LABELS[act];
}

const PAIR_LABELS = {
  pending: [t`You give`, t`You get`],
  accepted: [t`You give`, t`You get`],
  completed: [t`You gave`, t`You got`],
  rejected: [t`Your coupon`, t`Their coupon`],
  cancelled: [t`Your coupon`, t`Their coupon`],
} as const;

/** What the coupons of both sides are called: the viewer's, and those that they get. */
export function pairLabels(status: DealStatus): readonly [string, string] {
  return PAIR_LABELS[status];
}

/** Why an exchange ended, for this viewer; null if it is open or completed. */
export function endedBecause(exchange: Exchange, viewerId: number): string | null {
  return exchange.reason === null ? null : REASON_WORDS[exchange.reason](exchange, viewerId);
}

const REASON_WORDS: Record<DealReason, (exchange: Exchange, viewerId: number) => string> = {
  by_requester: (exchange, viewerId) => endedBy(exchange, viewerId, exchange.requesterId),
  by_owner: (exchange, viewerId) => endedBy(exchange, viewerId, exchange.requestedCouponOwnerId),
  by_party: (exchange, viewerId) => endedBy(exchange, viewerId, exchange.endedById),
  countered: (exchange, viewerId) =>
    exchange.endedById === viewerId
      ? t`You answered it with a counter-offer.`
      : t`${nameOf(exchange, exchange.endedById)} answered it with a counter-offer.`,
  rival_completed: () => t`One of the coupons changed hands in another deal.`,
  coupon_deleted: () => t`The owner removed one of the coupons.`,
  coupon_changed: () => t`One of the coupons was changed.`,
  coupon_expired: () => t`One of the coupons expired.`,
  code_refused: () => t`The merchant says that the code of one of the coupons does not work.`,
  party_banned: ({ kind }) =>
    kind === 'ring'
      ? t`Moderators closed one of the accounts.`
      : t`Moderators closed one of the two accounts.`,
  party_left: ({ kind }) =>
    kind === 'ring' ? t`Someone in it closed their account.` : t`The other person closed their account.`,
  deadline: ({ kind, acceptedAt, round, legs, deposit, parties }) => {
    if (acceptedAt !== null) {
      if (deposit !== null)
        return parties.some(({ depositAt }) => depositAt === null)
          ? t`Not everyone put up the deposit within ${DEPOSIT_HOURS} hours.`
          : t`It was not completed within ${DEPOSIT_COMPLETE_DAYS} days of the first deposit.`;
      if (pricedLegs({ legs }).length > 0) return t`It was not paid within ${PAY_HOURS} hours.`;
      return t`It was accepted but not completed within ${DEADLINE_DAYS.exchangeAccepted} days.`;
    }
    if (kind === 'ring') return t`Not everyone agreed within ${RING_CONSENT_HOURS} hours.`;
    return round > 1
      ? t`The counter-offer was not answered within ${COUNTER_HOURS} hours.`
      : t`The request was not answered within ${DEADLINE_DAYS.exchangePending} days.`;
  },
};

function nameOf({ parties }: Exchange, userId: number | null): string {
  return parties.find(({ id }) => id === userId)?.username ?? t`Someone`;
}

function endedBy(exchange: Exchange, viewerId: number, endedById: number | null): string {
  const isDeclined = exchange.status === 'rejected';
  if (endedById === viewerId) return isDeclined ? t`You declined it.` : t`You cancelled it.`;
  const name = nameOf(exchange, endedById);
  return isDeclined ? t`${name} declined it.` : t`${name} cancelled it.`;
}

/** What happens next, in one sentence for this viewer. */
export function nextStep(exchange: Exchange, viewerId: number): string {
  if (exchange.kind === 'ring') return ringStep(exchange, viewerId);
  const side = sideOf(exchange, viewerId);
  const other = otherParties(exchange, viewerId);
  const { gives, gets } = titlesOf(exchange, viewerId);
  switch (exchange.status) {
    case 'pending':
      if (side === 'requester') {
        return t`${other} decides next. Until then you can change your request or cancel.`;
      }
      return exchange.round < ROUNDS_MAX
        ? t`${other} would like your ${gives} for their ${gets}: accept it, reject it or make a counter-offer.`
        : t`${other} would like your ${gives} for their ${gets}: this is the last round, so accept or reject it.`;
    case 'accepted':
      if (pricedLegs(exchange).length > 0) return `${waitingForMoney(exchange, viewerId)} ${MOVES_WHEN_PAID}`;
      if (waitsForDeposits(exchange))
        return t`${waitingForDeposits(exchange, viewerId)} Then each of you can complete the exchange.`;
      return t`The coupons are reserved for the two of you. They change owners when one of you completes the exchange.`;
    case 'completed':
      return t`The exchange is complete: you got ${gets}, and ${other} got ${gives}.`;
    case 'rejected':
      return side === 'requester'
        ? t`No coupon changed hands. You can offer something else in a new request.`
        : t`No coupon changed hands. Your coupon is available for other deals.`;
    case 'cancelled':
      return exchange.replacedById === null
        ? t`No coupon changed hands.`
        : t`The next round has replaced this request.`;
  }
}

/** The texts of the dialog that confirms an act. */
export function actWords(act: StatusAct, exchange: Exchange, viewerId: number): ActWords {
  if (exchange.kind === 'ring') return ringActWords(act, exchange, viewerId);
  const other = otherParties(exchange, viewerId);
  const { gives, gets } = titlesOf(exchange, viewerId);
  switch (act) {
    case 'accept':
      return {
        title: t`Accept exchange`,
        confirm: t`Accept`,
        keep: t`Not now`,
        paragraphs: [
          t`This tells ${other} that you agree to the exchange.`,
          t`The coupons are then reserved for this exchange: no other deal on them can be accepted until it is completed or cancelled.`,
          ...(pricedLegs(exchange).length > 0 ? [paymentRule()] : []),
          ...(exchange.deposit === null ? [] : [depositRule()]),
        ],
      };
    case 'complete':
      return {
        title: t`Complete Exchange`,
        confirm: t`Complete Exchange`,
        keep: t`Not now`,
        paragraphs: [
          exchange.legs.length === 2
            ? t`Ownership of both coupons will transfer: you give ${gives} to ${other} and get ${gets}.`
            : t`Ownership of all coupons will transfer: you give ${gives} to ${other} and get ${gets}.`,
          t`Both parties must agree to the exchange. This cannot be undone.`,
        ],
      };
    case 'reject':
      return {
        title: t`Reject exchange`,
        confirm: t`Reject`,
        keep: t`Keep exchange`,
        paragraphs: [t`${other} will be told that you do not want ${gets} for ${gives}.`],
      };
    case 'cancel':
      return {
        title: t`Cancel exchange`,
        confirm: t`Cancel exchange`,
        keep: t`Keep exchange`,
        paragraphs: [
          exchange.status === 'accepted'
            ? t`The coupons are available for other deals again, and ${other} will be told.`
            : t`Your request for ${gets} is withdrawn, and ${other} will be told.`,
        ],
      };
  }
}

/** Of a coupon without a code that the viewer gives. */
export function nothingFor(username: string): string {
  return t`${username} will not see a code when the exchange is complete: you have to hand the coupon over.`;
}

/** Of a coupon without a code that the viewer gets. */
export function nothingFromOwner(username: string): string {
  return t`You will not see a code when the exchange is complete: ${username} has to hand the coupon over.`;
}
