import { t } from '@lingui/core/macro';
import { listed } from '#contract/base/locale.ts';
import { baseCurrency, decimalToCents, formatMoney, moneyText } from '#contract/base/money.ts';
import { DEADLINE_DAYS, RING_CONSENT_HOURS } from '#contract/deals/deals.ts';
import type { Match, MatchPerson } from '#contract/deals/matches.ts';
import { CLAIM_HOURS } from '#contract/money/claims.ts';
import { feesOf } from '#contract/money/fees.ts';
import { HOLD_HOURS } from '#contract/money/payments.ts';
import type { Handover } from '#web/deals/core/handovers.tsx';
import { depositRule } from '#web/deals/exchanges/deposit.ts';
import { feeRatesNow } from '#web/lib/fee-rates.ts';

/** What the viewer gives, and what they get. */
export function ownLegs({ legs }: Match): {
  readonly gives: Match['legs'][number];
  readonly gets: Match['legs'][number];
} {
  const [gives, gets] = [legs[0], legs.at(-1)];
  if (!gives || !gets) throw new Error('A match has legs');
  return { gives, gets };
}

/** Everybody in it but the viewer, in the order of the ring. */
export function othersIn({ legs }: Match): MatchPerson[] {
  return legs.slice(1).map(({ giver }) => giver);
}

/** 'Ana and Bo' */
export function namesOf(match: Match): string {
  return listed(othersIn(match).map(({ username }) => username));
}

/** 'Exchange with Ana', or 'Ring of 3 with Ana and Bo'. */
export function matchTitle(match: Match): string {
  const { length } = match.legs;
  return length === 2 ? t`Exchange with ${namesOf(match)}` : t`Ring of ${length} with ${namesOf(match)}`;
}

/** Who gives what to whom, as the viewer sees it. */
export function handoversOf(match: Match): Handover[] {
  const viewerId = match.legs[0]?.giver.id;
  const nameOf = ({ id, username }: MatchPerson) => (id === viewerId ? null : username);
  return match.legs.map(({ coupon, giver, receiver }) => ({
    coupon,
    giver: nameOf(giver),
    receiver: nameOf(receiver),
  }));
}

/** What happens once everybody has agreed. A coupon without a code has to be handed over: that we cannot promise. */
export function agreementText({ legs }: Match): string {
  const all =
    legs.length === 2
      ? t`When you both have agreed, both coupons change owners at the same moment.`
      : t`When all ${legs.length} have agreed, all coupons change owners at the same moment.`;
  return legs.every(({ coupon }) => coupon.hasCode) ? t`${all} Nobody can be left empty-handed.` : all;
}

/** Who pays whom how much so that nobody gains or loses, before fees; null where that is not offered. */
export function settlementText({ legs }: Match): string | null {
  const viewerId = legs[0]?.giver.id;
  const rates = feeRatesNow();
  const sentences = legs.flatMap(({ giver, receiver, price }) => {
    if (price === null) return [];
    const { buyerTotal, netAmount } = feesOf(decimalToCents(price), rates);
    const amount = moneyText(price);
    if (receiver.id === viewerId) {
      return [
        t`You pay ${giver.username} ${amount}, ${formatMoney(buyerTotal, baseCurrency())} with the fee.`,
      ];
    }
    return giver.id === viewerId
      ? [t`${receiver.username} pays you ${amount}, ${formatMoney(netAmount, baseCurrency())} after the fee.`]
      : [t`${receiver.username} pays ${giver.username} ${amount}.`];
  });
  return sentences.length === 0 ? null : sentences.join(' ');
}

/** The rules of the deal that a proposal begins, each with its name. @param given whether it asks for money, or for a deposit */
export function proposalRules(
  match: Match,
  { isSettled, hasDeposit }: { readonly isSettled: boolean; readonly hasDeposit: boolean },
): { name: string; value: string }[] {
  const names = namesOf(match);
  const isSwap = match.legs.length === 2;
  const completion = isSwap
    ? t`Both coupons are reserved. Either of you can complete the exchange within ${DEADLINE_DAYS.exchangeAccepted} days.`
    : t`All coupons are reserved. Any of you can complete the ring within ${DEADLINE_DAYS.exchangeAccepted} days.`;
  return [
    {
      name: t`Who agrees`,
      value: isSwap
        ? t`By proposing, you agree. ${names} has to agree too.`
        : t`By proposing, you agree. ${names} have to agree too.`,
    },
    {
      name: t`Until when`,
      value: isSwap
        ? t`Within ${DEADLINE_DAYS.exchangePending} days. Otherwise the proposal is withdrawn.`
        : t`Within ${RING_CONSENT_HOURS} hours. Otherwise the proposal is withdrawn.`,
    },
    {
      name: t`Once all agree`,
      value: isSettled
        ? t`All coupons are reserved. The person who pays has ${DEADLINE_DAYS.bidAccepted * 24} hours. The coupons change owners as soon as everything is paid. We hold the money for ${HOLD_HOURS} hours after that.`
        : hasDeposit
          ? depositRule()
          : completion,
    },
    {
      name: t`If someone declines`,
      value: isSwap
        ? t`The exchange ends, and no coupon changes owners.`
        : t`The ring ends for everyone, and no coupon changes owners.`,
    },
    {
      name: t`If a code fails`,
      value: t`Where the merchant lets us, we check it again before any coupon changes owners, and stop if it is refused. Afterwards you have ${CLAIM_HOURS} hours to claim that it does not work: a moderator decides.`,
    },
  ];
}

/** The difference in value for the viewer and, in a ring, for the others. */
export function differenceText({ gain, difference, legs }: Match): string {
  const money = (cents: number) => formatMoney(Math.abs(cents), baseCurrency());
  const own = ownDifferenceText(gain, money);
  return legs.length > 2 && difference
    ? t`${own} No one gains or loses more than ${money(difference)}.`
    : own;
}

function ownDifferenceText(gain: number | null, money: (cents: number) => string): string {
  if (gain === null) return t`We cannot compare percentage discounts.`;
  if (gain === 0) return t`You give as much value as you get.`;
  return gain > 0
    ? t`You get ${money(gain)} more than you give.`
    : t`You get ${money(gain)} less than you give.`;
}
