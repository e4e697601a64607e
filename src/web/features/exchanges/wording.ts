import { DEADLINE_DAYS, type DealReason, type ExchangeSide } from '#contract/deals.ts';
import type { Exchange } from '#contract/exchanges.ts';
import type { ActWords } from '#web/components/deal-dialogs.tsx';
import { couponsOf, otherParty, type StatusAct } from './sides.ts';

/** The labels of the buttons. */
export const ACT_LABELS = {
  accept: 'Accept',
  reject: 'Reject',
  complete: 'Complete',
  cancel: 'Cancel',
  revise: 'Change offer',
} as const;

/** Why an exchange ended, for this side; null if it is open or completed. */
export function endedBecause(exchange: Exchange, side: ExchangeSide): string | null {
  return exchange.reason === null ? null : REASON_WORDS[exchange.reason](exchange, side);
}

const REASON_WORDS: Record<DealReason, (exchange: Exchange, side: ExchangeSide) => string> = {
  by_requester: (exchange, side) => endedBy(exchange, side, 'requester'),
  by_owner: (exchange, side) => endedBy(exchange, side, 'owner'),
  by_party: (exchange) => {
    const who = exchange.parties.find(({ id }) => id === exchange.endedById)?.username ?? 'Somebody';
    return `${who} ${exchange.status === 'rejected' ? 'declined' : 'cancelled'} it.`;
  },
  rival_completed: () => 'One of the two coupons changed hands in another deal.',
  coupon_deleted: () => 'One of the two coupons was removed by its owner.',
  coupon_changed: () => 'One of the two coupons was changed.',
  coupon_expired: () => 'One of the two coupons expired.',
  party_banned: () => 'One of the two accounts was closed by the moderators.',
  party_left: () => 'The other account was closed by its owner.',
  deadline: (exchange) =>
    exchange.acceptedAt === null
      ? `The request was not answered within ${DEADLINE_DAYS.exchangePending} days.`
      : `It was accepted but not completed within ${DEADLINE_DAYS.exchangeAccepted} days.`,
};

function endedBy(exchange: Exchange, side: ExchangeSide, by: ExchangeSide): string {
  const who = side === by ? 'You' : otherParty(exchange, side);
  return `${who} ${exchange.status === 'rejected' ? 'rejected' : 'cancelled'} it.`;
}

function titlesOf(exchange: Exchange, side: ExchangeSide): { gives: string; gets: string } {
  const { gives, gets } = couponsOf(exchange, side);
  return { gives: `“${gives.title}”`, gets: `“${gets.title}”` };
}

/** What happens next, in one sentence for this side. */
export function nextStep(exchange: Exchange, side: ExchangeSide): string {
  const other = otherParty(exchange, side);
  const { gives, gets } = titlesOf(exchange, side);
  switch (exchange.status) {
    case 'pending':
      return side === 'requester'
        ? `${other} now decides; until then you can change your offer or cancel.`
        : `${other} would like your ${gives} for their ${gets}: accept or reject the offer.`;
    case 'accepted':
      return 'Both coupons are reserved for you two; when either of you completes the swap, they change owners.';
    case 'completed':
      return `The swap is done: ${gets} went to you, ${gives} to ${other}.`;
    case 'rejected':
      return side === 'requester'
        ? 'No coupon changed hands; you can offer something else in a new request.'
        : 'No coupon changed hands; your coupon is free for other offers.';
    case 'cancelled':
      return 'No coupon changed hands.';
  }
}

/** The texts of the dialog that confirms an act. */
export function actWords(act: StatusAct, exchange: Exchange, side: ExchangeSide): ActWords {
  const other = otherParty(exchange, side);
  const { gives, gets } = titlesOf(exchange, side);
  switch (act) {
    case 'accept':
      return {
        title: 'Accept exchange',
        confirm: 'Accept',
        keep: 'Not now',
        paragraphs: [
          `This tells ${other} that you agree to the swap.`,
          'Both coupons become reserved for this exchange: no other deal on them can be accepted until it is completed or cancelled.',
        ],
      };
    case 'complete':
      return {
        title: 'Complete Exchange',
        confirm: 'Complete Exchange',
        keep: 'Not now',
        paragraphs: [
          `Ownership of both coupons will transfer: ${gives} goes to ${other} and ${gets} comes to you.`,
          'Both parties must agree to the exchange. This cannot be undone.',
        ],
      };
    case 'reject':
      return {
        title: 'Reject exchange',
        confirm: 'Reject',
        keep: 'Keep it',
        paragraphs: [`${other} will be told that you do not want ${gets} for ${gives}.`],
      };
    case 'cancel':
      return {
        title: 'Cancel exchange',
        confirm: 'Cancel exchange',
        keep: 'Keep it',
        paragraphs: [
          exchange.status === 'accepted'
            ? `Both coupons become free for other deals, and ${other} will be told.`
            : `Your request for ${gets} is withdrawn, and ${other} will be told.`,
        ],
      };
  }
}

/** Of a coupon without a code that the viewer gives. */
export function nothingFor(username: string): string {
  return `Nothing will be revealed to ${username} when the swap is complete: you have to hand it over.`;
}

/** Of a coupon without a code that the viewer gets. */
export function nothingFromOwner(username: string): string {
  return `Nothing will be revealed to you when the swap is complete: ${username} has to hand it over.`;
}
