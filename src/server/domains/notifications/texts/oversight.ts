import { plural } from '@lingui/core/macro';
import type { UserStatus } from '#contract/accounts.ts';
import { quote } from '#contract/words.ts';
import type { Text } from './text.ts';

/** The texts about what moderators and admins do. */

/** A person's new status. */
export const STATUS_TEXTS: Record<UserStatus, string> = {
  active: 'Your account is in good standing again.',
  warned: 'A moderator has warned you. If it happens again, your account may be suspended or banned.',
  suspended:
    'Your account was suspended. You can still sign in, browse, pay for accepted bids, and make and answer claims, but nothing else.',
  banned:
    'Your account was banned. Your listings are hidden and your open deals are cancelled. Your finished deals stay yours: use the link in our email to see them, claim that a code does not work, and answer claims.',
};

/** What follows the status, where it is known. */
export const STATUS_ENDS: Text<{ readonly day: string }> = ({ day }) => `It ends on ${day}.`;
export const STATUS_REASON: Text<{ readonly reason: string }> = ({ reason }) => `Reason: ${quote(reason)}`;

/** For the reporter, who does not learn the decision. */
export const REPORT_TEXTS = {
  subject: 'We looked at your report',
  thanks: 'Thank you for your report. A moderator looked at it and did what was needed.',
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
    subject: 'One of your pictures was removed',
    text: ({ coupon, reason }) =>
      coupon === null
        ? `A moderator removed your profile picture. Reason: ${quote(reason)}`
        : `A moderator removed the picture of your ${quote(coupon)}. Reason: ${quote(reason)}`,
  },
  fromFeed: {
    subject: 'The picture of an imported coupon was removed',
    text: ({ coupon, reason }) =>
      coupon === null
        ? `A moderator removed the profile picture that came with the public code. Reason: ${quote(reason)}`
        : `A moderator removed the picture of ${quote(coupon)} that came with the public code. Reason: ${quote(reason)}`,
  },
};

/** A coupon that waited for a moderator. */
export const WAITING_COUPON_TEXTS: Record<
  'listed' | 'removed',
  { readonly subject: string; readonly text: Text<{ readonly coupon: string }> }
> = {
  listed: {
    subject: 'Your coupon is now listed',
    text: ({ coupon }) => `A moderator checked your coupon ${quote(coupon)}. Others can see it now.`,
  },
  removed: {
    subject: 'Your coupon was removed',
    text: ({ coupon }) => `A moderator checked your coupon ${quote(coupon)} and removed it.`,
  },
};

/** For admins. */
export const PAYMENT_ISSUES_TEXTS = {
  subject: ({ count }: { count: number }) =>
    plural(count, {
      one: '# payment issue needs a decision',
      other: '# payment issues need a decision',
    }),
  text: ({ count }: { count: number }) =>
    plural(count, {
      one: '# payment issue needs a decision. See the Money tab for what happened and what you can do.',
      other: '# payment issues need a decision. See the Money tab for what happened and what you can do.',
    }),
};
