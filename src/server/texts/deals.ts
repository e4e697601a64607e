import { plural, t } from '@lingui/core/macro';
import { BEGIN_MINUTES } from '#contract/base/limits.ts';
import { formatDay, listed } from '#contract/base/locale.ts';
import { marketName } from '#contract/base/market.ts';
import { quote } from '#contract/base/words.ts';
import { COUNTER_HOURS, DEADLINE_DAYS, RING_CONSENT_HOURS } from '#contract/deals/deals.ts';
import { RATING_HIDDEN_DAYS } from '#contract/deals/ratings.ts';
import { ANSWER_HOURS } from '#contract/money/claims.ts';
import { noteText } from './claim-notes.ts';
import { stored } from './stored.ts';
import { sentences, type Text } from './text.ts';

/** The texts about the end of deals, and about messages, matches, ratings and claims. */

/** Why a deal ended: the clauses after the colon. In a bid there is one coupon, so its title is not repeated. */
export const END_REASONS = stored('endReason', {
  rivalAccepted: () => t`another bid was accepted`,
  bid: {
    rival_completed: () => t`the coupon changed hands in another deal`,
    coupon_deleted: () => t`the owner removed the coupon`,
    coupon_changed: () => t`the coupon was changed`,
    coupon_expired: () => t`the coupon has expired`,
    code_refused: () => t`the merchant says that the code of the coupon does not work`,
  },
  exchange: {
    rival_completed: ({ coupon }: { coupon: string }) => t`${quote(coupon)} changed hands in another deal`,
    coupon_deleted: ({ coupon }: { coupon: string }) => t`the owner removed ${quote(coupon)}`,
    coupon_changed: ({ coupon }: { coupon: string }) => t`${quote(coupon)} was changed`,
    coupon_expired: ({ coupon }: { coupon: string }) => t`${quote(coupon)} has expired`,
    ownCodeRefused: ({ coupon }: { coupon: string }) =>
      t`the merchant says that the code of your ${quote(coupon)} does not work`,
    otherCodeRefused: ({ coupon, giver }: { coupon: string; giver: string }) =>
      t`the merchant says that the code of ${giver}’s ${quote(coupon)} does not work`,
  },
  party_banned: {
    own: () => t`moderators closed your account`,
    other: () => t`moderators closed the other account`,
    named: ({ name }: { name: string }) => t`moderators closed ${name}’s account`,
  },
  party_left: {
    own: () => t`you closed your account`,
    other: () => t`the other person closed their account`,
    named: ({ name }: { name: string }) => t`${name} closed their account`,
  },
  deadline: {
    bidUnanswered: () => t`it was not answered within ${DEADLINE_DAYS.bidPending} days`,
    bidUnpaid: () => t`it was not paid within ${DEADLINE_DAYS.bidAccepted * 24} hours`,
    bidNotBegun: () => t`its payment did not begin within ${BEGIN_MINUTES} minutes`,
    counterUnanswered: () => t`it was not answered within ${COUNTER_HOURS} hours`,
    swapUnanswered: () => t`it was not answered within ${DEADLINE_DAYS.exchangePending} days`,
    ringUnanswered: () => t`not everyone agreed within ${RING_CONSENT_HOURS} hours`,
    uncompleted: () => t`it was not completed within ${DEADLINE_DAYS.exchangeAccepted} days`,
  },
});

export const MESSAGE_TEXTS = stored('message', {
  written: ({ sender }: { sender: string }) => t`${sender} wrote to you.`,
});

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
export const MATCH_TEXTS = stored('match', {
  swap: ({ partner, given, got, more }) =>
    sentences(
      t`Exchange with ${partner}: you give ${quote(given)} and get ${quote(got)}.`,
      moreMatches(more),
    ),
  ring: ({ people, given, got, more }) =>
    sentences(t`A ring of ${people}: you give ${quote(given)} and get ${quote(got)}.`, moreMatches(more)),
} satisfies Record<'swap' | 'ring', Text<MatchFacts>>);

function moreMatches(count: number): string | null {
  if (count === 0) return null;
  return plural(count, { one: 'There is # more match.', other: 'There are # more matches.' });
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
export const WEEKLY_MAIL = stored('weekly', {
  subject: () => t`Your week on ${{ market: marketName() }}`,
  body: ({ waiting, ending, endingCount, days, found, foundCount }: WeeklyFacts) => {
    const endingNames = namesOf(
      ending.map(
        ({ title, merchant, day }) => t`${quote(title)} from ${quote(merchant)} on ${formatDay(day)}`,
      ),
      endingCount,
    );
    const foundNames = namesOf(
      found.map(({ title, merchant }) => t`${quote(title)} from ${quote(merchant)}`),
      foundCount,
    );
    return [
      plural(waiting, { one: '# deal needs you.', other: '# deals need you.' }),
      plural(endingCount, {
        one: `# coupon of yours expires within ${days} days: ${endingNames}.`,
        other: `# coupons of yours expire within ${days} days: ${endingNames}.`,
      }),
      plural(foundCount, {
        one: `# new coupon on your wish list: ${foundNames}.`,
        other: `# new coupons on your wish list: ${foundNames}.`,
      }),
    ]
      .filter((_, at) => [waiting, endingCount, foundCount][at] !== 0)
      .join('\n\n');
  },
});

/** @param count of all, of which some are named */
const namesOf = (named: readonly string[], count: number) =>
  listed(count > named.length ? [...named, t`${count - named.length} more`] : named);

interface RatingTexts {
  readonly rater: Text<{ readonly rated: string }>;
  readonly rated: Text<{ readonly rater: string }>;
  /** The notification, while the rating is hidden from the rated person, and once both can see both. */
  readonly hidden: Text<{ readonly rater: string }>;
  readonly visible: Text<{ readonly rater: string }>;
}

export const RATING_TEXTS = stored('rating', {
  subject: () => t`You have a new rating`,
  exchange: {
    rater: ({ rated }) => t`You rated your exchange with ${rated}.`,
    rated: ({ rater }) => t`${rater} rated your exchange.`,
    hidden: ({ rater }) =>
      t`${rater} rated your exchange. You will see the rating once you have rated them too, or in ${RATING_HIDDEN_DAYS} days.`,
    visible: ({ rater }) => t`${rater} rated your exchange. You can both see the ratings now.`,
  },
  sale: {
    rater: ({ rated }) => t`You rated your sale with ${rated}.`,
    rated: ({ rater }) => t`${rater} rated your sale.`,
    hidden: ({ rater }) =>
      t`${rater} rated your sale. You will see the rating once you have rated them too, or in ${RATING_HIDDEN_DAYS} days.`,
    visible: ({ rater }) => t`${rater} rated your sale. You can both see the ratings now.`,
  },
} satisfies Record<'exchange' | 'sale', RatingTexts> & { readonly subject: () => string });

interface ClaimFacts {
  readonly claimant: string;
  readonly giver: string;
  readonly coupon: string;
  /** The moderator's words. */
  readonly note: string;
}

/** What happens to a claim about an exchange, as its two people read it. */
export const CLAIM_TEXTS = stored('claim', {
  open: {
    subject: () => t`Someone says that your code does not work`,
    claimant: ({ coupon, giver }) =>
      t`You claimed that the code of ${quote(coupon)} from ${giver} does not work.`,
    giver: ({ coupon, claimant }) =>
      t`${claimant} claims that the code of your ${quote(coupon)} does not work. Please tell us what you know about it within ${ANSWER_HOURS} hours. Then a moderator decides.`,
  },
  answer: {
    subject: () => t`Your claim was answered`,
    claimant: ({ coupon, giver }) =>
      t`${giver} answered your claim about ${quote(coupon)}. A moderator will decide now.`,
    giver: ({ coupon, claimant }) => t`You answered ${claimant}’s claim about ${quote(coupon)}.`,
  },
  withdraw: {
    subject: () => t`A claim was withdrawn`,
    claimant: ({ coupon }) => t`You withdrew your claim about ${quote(coupon)}.`,
    giver: ({ coupon, claimant }) => t`${claimant} withdrew the claim about your ${quote(coupon)}.`,
  },
  uphold: {
    subject: () => t`A claim was decided`,
    claimant: ({ coupon, giver, note }) =>
      sentences(
        t`Your claim about ${quote(coupon)} was upheld, and ${giver}’s profile says so. The codes have been seen, so the coupons do not change back.`,
        noteText(note),
      ),
    giver: ({ coupon, claimant, note }) =>
      sentences(
        t`${claimant}’s claim about your ${quote(coupon)} was upheld: your profile says that a code did not work. The codes have been seen, so the coupons do not change back.`,
        noteText(note),
      ),
  },
  /** About a coupon that was paid for: another notice tells that it goes back. */
  upholdPaid: {
    subject: () => t`A claim was decided`,
    claimant: ({ coupon, giver, note }) =>
      sentences(
        t`Your claim about ${quote(coupon)} was upheld, and ${giver}’s profile says so.`,
        noteText(note),
      ),
    giver: ({ coupon, claimant, note }) =>
      sentences(
        t`${claimant}’s claim about your ${quote(coupon)} was upheld: your profile says that a code did not work.`,
        noteText(note),
      ),
  },
  refuse: {
    subject: () => t`A claim was decided`,
    claimant: ({ coupon, note }) =>
      sentences(t`Your claim about ${quote(coupon)} was declined.`, noteText(note)),
    giver: ({ coupon, claimant, note }) =>
      sentences(
        t`${claimant}’s claim about your ${quote(coupon)} was declined, and your profile does not mention it.`,
        noteText(note),
      ),
  },
} satisfies Record<
  string,
  { readonly subject: () => string; readonly claimant: Text<ClaimFacts>; readonly giver: Text<ClaimFacts> }
>);
