import { listed } from '#contract/locale.ts';
import type { Match } from '#contract/matches.ts';
import { type Currency, formatMoney } from '#contract/money.ts';
import type { Handover } from '#web/components/handovers.tsx';

type MatchPerson = Match['legs'][number]['giver'];

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

/** 'Swap with Ana', or 'Ring of 3 with Ana and Bo'. */
export function matchTitle(match: Match): string {
  const { length } = match.legs;
  return length === 2 ? `Swap with ${namesOf(match)}` : `Ring of ${length} with ${namesOf(match)}`;
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

/** The difference in value for the viewer and, in a ring, for the others. */
export function differenceText({ gain, difference, legs }: Match, currency: Currency): string {
  const money = (cents: number) => formatMoney(Math.abs(cents), currency);
  const own = ownDifferenceText(gain, money);
  return legs.length > 2 && difference ? `${own} No one gains or loses more than ${money(difference)}.` : own;
}

function ownDifferenceText(gain: number | null, money: (cents: number) => string): string {
  if (gain === null) return 'We cannot compare percentage discounts.';
  if (gain === 0) return 'You give as much value as you get.';
  return gain > 0
    ? `You get ${money(gain)} more than you give.`
    : `You get ${money(gain)} less than you give.`;
}
