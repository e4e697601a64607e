import { plural } from '@lingui/core/macro';
import { listed } from '#contract/locale.ts';
import { quote } from '#contract/words.ts';
import type { Text } from './text.ts';

/** The texts about coupons and what people look for. */

/** The lines of an owner's history. */
export const COUPON_HISTORY: Record<
  'listed' | 'keptPublic' | 'imported' | 'edited' | 'used' | 'unused' | 'removed' | 'verified',
  Text<{ readonly coupon: string }>
> = {
  listed: ({ coupon }) => `Listed ${quote(coupon)}`,
  keptPublic: ({ coupon }) => `Saved ${quote(coupon)}, a public code`,
  imported: ({ coupon }) => `Imported ${quote(coupon)}`,
  edited: ({ coupon }) => `Edited ${quote(coupon)}`,
  used: ({ coupon }) => `Marked ${quote(coupon)} as used`,
  unused: ({ coupon }) => `Marked ${quote(coupon)} as not used`,
  removed: ({ coupon }) => `Removed ${quote(coupon)}`,
  verified: ({ coupon }) => `The merchant confirmed the code of ${quote(coupon)}`,
};

/** What became of a mail that somebody forwarded. */
export const MAILED_TEXTS = {
  subject: 'Coupons from your email',
  found: (({ count }) =>
    plural(count, {
      one: '# coupon from your email is ready. Look it over and list it.',
      other: '# coupons from your email are ready. Look them over and list them.',
    })) as Text<{ readonly count: number }>,
  none: 'We found no coupon in the email you forwarded. Add it with a picture or type it.',
};

interface ReminderTexts {
  readonly subject: string;
  /** For the coupon's owner, and for people who have saved it. */
  readonly owner: Text<{ readonly coupon: string; readonly merchant: string }>;
  readonly saver: Text<{ readonly coupon: string; readonly merchant: string }>;
}

/** Reminders of a coupon's last day, by the days until then. */
export const REMINDER_TEXTS: Record<7 | 1, ReminderTexts> = {
  7: {
    subject: 'A coupon expires in a week',
    owner: ({ coupon, merchant }) =>
      `Your coupon ${quote(coupon)} from ${quote(merchant)} expires in 7 days.`,
    saver: ({ coupon, merchant }) =>
      `The coupon you saved, ${quote(coupon)} from ${quote(merchant)}, expires in 7 days.`,
  },
  1: {
    subject: 'A coupon expires tomorrow',
    owner: ({ coupon, merchant }) => `Your coupon ${quote(coupon)} from ${quote(merchant)} expires tomorrow.`,
    saver: ({ coupon, merchant }) =>
      `The coupon you saved, ${quote(coupon)} from ${quote(merchant)}, expires tomorrow.`,
  },
};

interface Found {
  readonly title: string;
  readonly merchant: string;
}

export const WANT_TEXT: Text<Found> = ({ title, merchant }) =>
  `From your wish list: ${quote(title)} from ${quote(merchant)}.`;

const namesOf = (coupons: readonly Found[]) =>
  coupons.map(({ title, merchant }) => `${quote(title)} from ${quote(merchant)}`);

/** The daily mail: it names some coupons and counts the others. */
export const WANT_DIGEST = {
  subject: ({ count }: { count: number }) =>
    plural(count, { one: 'Your wish list: # new coupon', other: 'Your wish list: # new coupons' }),
  body: ({ named, more }: { named: readonly Found[]; more: number }) =>
    `New since yesterday: ${listed(more === 0 ? namesOf(named) : [...namesOf(named), `${more} more`])}.`,
};
