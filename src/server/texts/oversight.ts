import { plural, t } from '@lingui/core/macro';
import { formatDay } from '#contract/base/locale.ts';
import { quote } from '#contract/base/words.ts';
import type { UserStatus } from '#contract/people/accounts.ts';
import { stored } from './stored.ts';
import { sentences, type Text } from './text.ts';

/** The texts about what moderators and admins do. */

const STATUSES: Record<UserStatus, () => string> = {
  active: () => t`Your account is in good standing again.`,
  warned: () => t`A moderator has warned you. If it happens again, your account may be suspended or banned.`,
  suspended: () =>
    t`Your account was suspended. You can still sign in, browse, pay for accepted bids, and make and answer claims, but nothing else.`,
  banned: () =>
    t`Your account was banned. Your listings are hidden and your open deals are cancelled. Your finished deals stay yours: use the link in our email to see them, claim that a code does not work, and answer claims.`,
};

interface StatusFacts {
  readonly status: UserStatus;
  /** The last day of a suspension; null: it is not known. */
  readonly day: string | null;
  readonly reason: string | null;
}

/** A person's new status. */
export const STATUS_TEXTS = stored('status', {
  changed: ({ status, day, reason }: StatusFacts) =>
    sentences(
      STATUSES[status](),
      day === null ? null : t`It ends on ${formatDay(day)}.`,
      reason === null ? null : t`Reason: ${quote(reason)}`,
    ),
});

/** For the reporter, who does not learn the decision. */
export const REPORT_TEXTS = stored('report', {
  subject: () => t`We looked at your report`,
  thanks: () => t`Thank you for your report. A moderator looked at it and did what was needed.`,
});

interface RemovalFacts {
  /** Null: the profile's picture. */
  readonly coupon: string | null;
  readonly reason: string;
}

/** A removed picture. One that came with a public code from a feed is not its importer's. */
export const PICTURE_TEXTS = stored('picture', {
  own: {
    subject: () => t`One of your pictures was removed`,
    text: ({ coupon, reason }) =>
      coupon === null
        ? t`A moderator removed your profile picture. Reason: ${quote(reason)}`
        : t`A moderator removed the picture of your ${quote(coupon)}. Reason: ${quote(reason)}`,
  },
  fromFeed: {
    subject: () => t`The picture of an imported coupon was removed`,
    text: ({ coupon, reason }) =>
      coupon === null
        ? t`A moderator removed the profile picture that came with the public code. Reason: ${quote(reason)}`
        : t`A moderator removed the picture of ${quote(coupon)} that came with the public code. Reason: ${quote(reason)}`,
  },
} satisfies Record<
  'own' | 'fromFeed',
  { readonly subject: () => string; readonly text: Text<RemovalFacts> }
>);

/** A coupon that waited for a moderator. */
export const WAITING_COUPON_TEXTS = stored('waitingCoupon', {
  listed: {
    subject: () => t`Your coupon is now listed`,
    text: ({ coupon }) => t`A moderator checked your coupon ${quote(coupon)}. Others can see it now.`,
  },
  removed: {
    subject: () => t`Your coupon was removed`,
    text: ({ coupon }) => t`A moderator checked your coupon ${quote(coupon)} and removed it.`,
  },
} satisfies Record<
  'listed' | 'removed',
  { readonly subject: () => string; readonly text: Text<{ readonly coupon: string }> }
>);

/** For admins. */
export const PAYMENT_ISSUES_TEXTS = stored('paymentIssues', {
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
});
