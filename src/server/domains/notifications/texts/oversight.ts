import type { UserStatus } from '#contract/accounts.ts';
import { quote } from '#contract/words.ts';
import type { Text } from './text.ts';

/** The texts about what moderators and admins do. */

/** A person's new status. */
export const STATUS_TEXTS: Record<UserStatus, string> = {
  active: 'Your account is in good standing again.',
  warned: 'A moderator has warned you. If it happens again, your account may be suspended or banned.',
  suspended:
    'Your account was suspended. You can sign in, read, pay what is accepted, claim and answer claims, but nothing else.',
  banned:
    'Your account was banned. Your listings are hidden and your open deals were cancelled. What you have traded stays yours: with the link in our mail you can see it, claim that a code does not work, and answer claims.',
};

/** What follows the status, where it is known. */
export const STATUS_ENDS: Text<{ readonly day: string }> = ({ day }) => `It ends on ${day}.`;
export const STATUS_REASON: Text<{ readonly reason: string }> = ({ reason }) => `Reason: ${quote(reason)}`;

/** For the reporter, who does not learn the decision. */
export const REPORT_TEXTS = {
  subject: 'Your report was looked at',
  thanks: 'Thank you for your report. A moderator has looked at it and done what was needed.',
};

interface RemovalFacts {
  /** Null: the profile's picture. */
  readonly coupon: string | null;
  readonly reason: string;
}

/** A removed picture. One that came with a public code from a feed is not its importer's. */
export const PICTURE_TEXTS: Record<
  'own' | 'fromFeed',
  { readonly subject: string; readonly text: Text<RemovalFacts> }
> = {
  own: {
    subject: 'A picture of yours was removed',
    text: ({ coupon, reason }) =>
      coupon === null
        ? `A moderator has removed a picture of yours: the profile picture. Reason: ${quote(reason)}`
        : `A moderator has removed a picture of yours: the picture of ${quote(coupon)}. Reason: ${quote(reason)}`,
  },
  fromFeed: {
    subject: 'The picture of an imported coupon was removed',
    text: ({ coupon, reason }) =>
      coupon === null
        ? `A moderator has removed the profile picture, which came with the public code. Reason: ${quote(reason)}`
        : `A moderator has removed the picture of ${quote(coupon)}, which came with the public code. Reason: ${quote(reason)}`,
  },
};

/** A coupon that waited for a moderator. */
export const WAITING_COUPON_TEXTS: Record<
  'listed' | 'removed',
  { readonly subject: string; readonly text: Text<{ readonly coupon: string }> }
> = {
  listed: {
    subject: 'A coupon of yours is listed now',
    text: ({ coupon }) => `A moderator has looked at your coupon ${quote(coupon)}. Others see it now.`,
  },
  removed: {
    subject: 'A coupon of yours was removed',
    text: ({ coupon }) =>
      `A moderator has looked at your coupon ${quote(coupon)} and does not list it. It was removed.`,
  },
};

/** For admins. */
export const PAYMENT_ISSUES_TEXTS = {
  subject: ({ count }: { count: number }) =>
    count === 1 ? 'One payment matter needs a decision' : `${count} payment matters need a decision`,
  text: ({ count }: { count: number }) =>
    count === 1
      ? 'One payment matter needs a decision. The Money tab says what has happened and what can be done.'
      : `${count} payment matters need a decision. The Money tab says what has happened and what can be done.`,
};
