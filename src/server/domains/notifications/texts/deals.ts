import { plural } from '@lingui/core/macro';
import { CLAIM_HOURS } from '#contract/claims.ts';
import { COUNTER_HOURS, DEADLINE_DAYS, RING_CONSENT_HOURS } from '#contract/deals.ts';
import { formatDay, listed } from '#contract/locale.ts';
import { RATING_HIDDEN_DAYS } from '#contract/ratings.ts';
import { quote } from '#contract/words.ts';
import type { Text } from './text.ts';

/** The texts about the end of deals, and about messages, matches, ratings and claims. */

/** Why a deal ended: the clauses after the colon. In a bid there is one coupon, so its title is not repeated. */
export const END_REASONS = {
  rivalAccepted: 'another bid was accepted',
  bid: {
    rival_completed: 'the coupon changed hands in another deal',
    coupon_deleted: 'the owner removed the coupon',
    coupon_changed: 'the coupon was changed',
    coupon_expired: 'the coupon has expired',
    code_refused: 'the merchant says that the code of the coupon does not work',
  },
  exchange: {
    rival_completed: ({ coupon }: { coupon: string }) => `${quote(coupon)} changed hands in another deal`,
    coupon_deleted: ({ coupon }: { coupon: string }) => `the owner removed ${quote(coupon)}`,
    coupon_changed: ({ coupon }: { coupon: string }) => `${quote(coupon)} was changed`,
    coupon_expired: ({ coupon }: { coupon: string }) => `${quote(coupon)} has expired`,
    ownCodeRefused: ({ coupon }: { coupon: string }) =>
      `the merchant says that the code of your ${quote(coupon)} does not work`,
    otherCodeRefused: ({ coupon, giver }: { coupon: string; giver: string }) =>
      `the merchant says that the code of ${giver}’s ${quote(coupon)} does not work`,
  },
  party_banned: {
    own: 'moderators closed your account',
    other: 'moderators closed the other account',
    named: ({ name }: { name: string }) => `moderators closed ${name}’s account`,
  },
  party_left: {
    own: 'you closed your account',
    other: 'the other person closed their account',
    named: ({ name }: { name: string }) => `${name} closed their account`,
  },
  deadline: {
    bidUnanswered: `it was not answered within ${DEADLINE_DAYS.bidPending} days`,
    bidUnpaid: `it was not paid within ${DEADLINE_DAYS.bidAccepted * 24} hours`,
    counterUnanswered: `it was not answered within ${COUNTER_HOURS} hours`,
    swapUnanswered: `it was not answered within ${DEADLINE_DAYS.exchangePending} days`,
    ringUnanswered: `not everyone agreed within ${RING_CONSENT_HOURS} hours`,
    uncompleted: `it was not completed within ${DEADLINE_DAYS.exchangeAccepted} days`,
  },
};

export const MESSAGE_TEXT: Text<{ readonly sender: string }> = ({ sender }) => `${sender} wrote to you.`;

interface MatchFacts {
  readonly partner: string;
  /** How many people are in it. */
  readonly people: number;
  readonly given: string;
  readonly got: string;
  /** How many other new matches there are. */
  readonly more: number;
}

/** The best of a person's new matches. */
export const MATCH_TEXTS: Record<'swap' | 'ring', Text<MatchFacts>> = {
  swap: ({ partner, given, got, more }) =>
    `Swap with ${partner}: you give ${quote(given)} and get ${quote(got)}.${moreMatches(more)}`,
  ring: ({ people, given, got, more }) =>
    `A ring of ${people}: you give ${quote(given)} and get ${quote(got)}.${moreMatches(more)}`,
};

function moreMatches(count: number): string {
  if (count === 0) return '';
  return plural(count, { one: ' There is # more match.', other: ' There are # more matches.' });
}

interface WeeklyFacts {
  /** Deals that wait for the reader. */
  readonly waiting: number;
  /** Some of the reader's coupons that end within `days`, and the number of all. */
  readonly ending: readonly { readonly title: string; readonly merchant: string; readonly day: string }[];
  readonly endingCount: number;
  readonly days: number;
  /** Some of the coupons found for the reader's wishes, and the number of all. */
  readonly found: readonly { readonly title: string; readonly merchant: string }[];
  readonly foundCount: number;
}

/** The weekly mail: a paragraph for each thing that there is. */
export const WEEKLY_MAIL = {
  subject: 'Your week on ClipSwap',
  body: ({ waiting, ending, endingCount, days, found, foundCount }: WeeklyFacts): string =>
    [
      plural(waiting, { one: '# deal waits for you.', other: '# deals wait for you.' }),
      `${plural(endingCount, {
        one: `# coupon of yours expires within ${days} days:`,
        other: `# coupons of yours expire within ${days} days:`,
      })} ${namesOf(
        ending.map(
          ({ title, merchant, day }) => `${quote(title)} from ${quote(merchant)} on ${formatDay(day)}`,
        ),
        endingCount,
      )}.`,
      `${plural(foundCount, {
        one: '# new coupon on your wish list:',
        other: '# new coupons on your wish list:',
      })} ${namesOf(
        found.map(({ title, merchant }) => `${quote(title)} from ${quote(merchant)}`),
        foundCount,
      )}.`,
    ]
      .filter((_, at) => [waiting, endingCount, foundCount][at] !== 0)
      .join('\n\n'),
};

/** @param count of all, of which some are named */
const namesOf = (named: readonly string[], count: number) =>
  listed(count > named.length ? [...named, `${count - named.length} more`] : named);

interface RatingTexts {
  readonly rater: Text<{ readonly rated: string }>;
  readonly rated: Text<{ readonly rater: string }>;
  /** The notification, while the rating is hidden from the rated person, and once both can see both. */
  readonly hidden: Text<{ readonly rater: string }>;
  readonly visible: Text<{ readonly rater: string }>;
}

export const RATING_SUBJECT = 'You have a new rating';

export const RATING_TEXTS: Record<'exchange' | 'sale', RatingTexts> = {
  exchange: {
    rater: ({ rated }) => `You rated your exchange with ${rated}.`,
    rated: ({ rater }) => `${rater} rated your exchange.`,
    hidden: ({ rater }) =>
      `${rater} rated your exchange. You will see the rating once you have rated them too, or in ${RATING_HIDDEN_DAYS} days.`,
    visible: ({ rater }) => `${rater} rated your exchange. You can both see the ratings now.`,
  },
  sale: {
    rater: ({ rated }) => `You rated your sale with ${rated}.`,
    rated: ({ rater }) => `${rater} rated your sale.`,
    hidden: ({ rater }) =>
      `${rater} rated your sale. You will see the rating once you have rated them too, or in ${RATING_HIDDEN_DAYS} days.`,
    visible: ({ rater }) => `${rater} rated your sale. You can both see the ratings now.`,
  },
};

interface ClaimFacts {
  readonly claimant: string;
  readonly giver: string;
  readonly coupon: string;
  /** The moderator's words. */
  readonly note: string;
}

/** What happens to a claim about an exchange, as its two people read it. */
export const CLAIM_TEXTS = {
  open: {
    subject: 'Someone says that your code does not work',
    claimant: ({ coupon, giver }) =>
      `You claimed that the code of ${quote(coupon)} from ${giver} does not work.`,
    giver: ({ coupon, claimant }) =>
      `${claimant} claims that the code of your ${quote(coupon)} does not work. Please tell us what you know about it within ${CLAIM_HOURS} hours. Then a moderator decides.`,
  },
  answer: {
    subject: 'Your claim was answered',
    claimant: ({ coupon, giver }) =>
      `${giver} answered your claim about ${quote(coupon)}. A moderator will decide now.`,
    giver: ({ coupon, claimant }) => `You answered ${claimant}’s claim about ${quote(coupon)}.`,
  },
  withdraw: {
    subject: 'A claim was withdrawn',
    claimant: ({ coupon }) => `You withdrew your claim about ${quote(coupon)}.`,
    giver: ({ coupon, claimant }) => `${claimant} withdrew the claim about your ${quote(coupon)}.`,
  },
  uphold: {
    subject: 'A claim was decided',
    claimant: ({ coupon, giver, note }) =>
      `Your claim about ${quote(coupon)} was upheld, and ${giver}’s profile says so. The codes have been seen, so the coupons do not change back. A moderator writes: ${quote(note)}`,
    giver: ({ coupon, claimant, note }) =>
      `${claimant}’s claim about your ${quote(coupon)} was upheld: your profile says that a code did not work. The codes have been seen, so the coupons do not change back. A moderator writes: ${quote(note)}`,
  },
  refuse: {
    subject: 'A claim was decided',
    claimant: ({ coupon, note }) =>
      `Your claim about ${quote(coupon)} was declined. A moderator writes: ${quote(note)}`,
    giver: ({ coupon, claimant, note }) =>
      `${claimant}’s claim about your ${quote(coupon)} was declined, and your profile does not mention it. A moderator writes: ${quote(note)}`,
  },
} satisfies Record<
  string,
  { readonly subject: string; readonly claimant: Text<ClaimFacts>; readonly giver: Text<ClaimFacts> }
>;
