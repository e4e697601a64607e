import { plural, t } from '@lingui/core/macro';
import { formatDay, listed } from '#contract/base/locale.ts';
import { quote } from '#contract/base/words.ts';
import { type LeftOut, leftOutText } from '#contract/coupons/left-out.ts';
import { HOLD_HOURS } from '#contract/money/payments.ts';
import { stored } from './stored.ts';
import type { Text } from './text.ts';

/** The texts about coupons and what people look for. */

/** The lines of an owner's history. */
export const COUPON_HISTORY = stored('couponHistory', {
  listed: ({ coupon }) => t`Listed ${quote(coupon)}`,
  keptPublic: ({ coupon }) => t`Saved ${quote(coupon)}, a public code`,
  imported: ({ coupon }) => t`Imported ${quote(coupon)}`,
  edited: ({ coupon }) => t`Edited ${quote(coupon)}`,
  used: ({ coupon }) => t`Marked ${quote(coupon)} as used`,
  unused: ({ coupon }) => t`Marked ${quote(coupon)} as not used`,
  removed: ({ coupon }) => t`Removed ${quote(coupon)}`,
  refused: ({ coupon }) => t`The merchant refused the code of ${quote(coupon)}, so it left the list`,
  verified: ({ coupon }) => t`The merchant confirmed the code of ${quote(coupon)}`,
  newCode: ({ coupon }) => t`The merchant made a new code for ${quote(coupon)}. Nobody else has seen it`,
  keptCode: ({ coupon }) => t`The merchant made no new code for ${quote(coupon)}. It keeps its old code`,
} satisfies Record<
  | 'listed'
  | 'keptPublic'
  | 'imported'
  | 'edited'
  | 'used'
  | 'unused'
  | 'removed'
  | 'refused'
  | 'verified'
  | 'newCode'
  | 'keptCode',
  Text<{ readonly coupon: string }>
>);

/** That a coupon which somebody has paid for keeps the code that the person before them knows. */
export const OLD_CODE = stored('oldCode', {
  subject: () => t`The merchant made no new code`,
  text: ({ coupon }) =>
    t`The merchant made no new code for ${quote(coupon)}: it keeps the one that its owner before you knows. Try it now. If it does not work, make a claim within ${HOLD_HOURS} hours of your payment.`,
} satisfies { readonly subject: () => string; readonly text: Text<{ readonly coupon: string }> });

/** That a merchant no longer takes the code of a coupon on offer. */
export const DEAD_CODE = stored('deadCode', {
  subject: () => t`A code of yours no longer works`,
  text: ({ coupon, merchant }: { coupon: string; merchant: string }) =>
    t`${merchant} says that the code of ${quote(coupon)} does not work, so we took the coupon off the list. If that is a mistake, edit the coupon and correct its code.`,
});

/** What became of a mail that somebody forwarded. */
export const MAILED_TEXTS = stored('mailedCoupons', {
  subject: () => t`Coupons from your email`,
  found: ({ count }: { count: number }) =>
    plural(count, {
      one: '# coupon from your email is ready. Look it over and list it.',
      other: '# coupons from your email are ready. Look them over and list them.',
    }),
  none: () => t`We found no coupon in the email you forwarded. Add it with a picture or type it.`,
  foundSome: ({ count, left }: { count: number; left: LeftOfMail }) =>
    [
      plural(count, {
        one: '# coupon from your email is ready. Look it over and list it.',
        other: '# coupons from your email are ready. Look them over and list them.',
      }),
      ...leftTexts(left),
    ].join(' '),
  unread: ({ left }: { left: LeftOfMail }) =>
    [
      t`We could not read all of the email you forwarded.`,
      ...leftTexts(left),
      t`Add the coupon with a picture or type it.`,
    ].join(' '),
});

type LeftKind =
  | 'table'
  | 'pages'
  | Extract<LeftOut, { what: 'file' }>['why']
  | Extract<LeftOut['what'], 'files' | 'text' | 'codes' | 'mail' | 'drafts'>;
/** How much of each kind was left out of a mail. A notice names no file: its name may say a code. */
type LeftOfMail = Readonly<Partial<Record<LeftKind, number>>>;

/** Counts what was left out of a mail, for its notice. */
export function leftOfMail(leftOut: readonly LeftOut[]): LeftOfMail {
  const left: Partial<Record<LeftKind, number>> = {};
  for (const one of leftOut) {
    const kind = kindOfLeft(one);
    left[kind] = (left[kind] ?? 0) + ('count' in one && kind !== 'table' ? one.count : 1);
  }
  return left;
}

function kindOfLeft(one: LeftOut): LeftKind {
  switch (one.what) {
    case 'file':
      return one.why;
    case 'files':
    case 'text':
    case 'codes':
    case 'mail':
    case 'drafts':
    case 'pages':
      return one.what;
    default:
      return 'table';
  }
}

/** A sentence for each kind of what was left out. */
const LEFT_TEXTS: Record<LeftKind, (count: number) => string> = {
  winmail: () => t`The attachments are packed for Outlook alone. Send them as a normal email or as files.`,
  type: (count) =>
    plural(count, {
      one: '# file is of a type that we cannot read.',
      other: '# files are of types that we cannot read.',
    }),
  broken: (count) => plural(count, { one: '# file is damaged.', other: '# files are damaged.' }),
  locked: (count) =>
    plural(count, { one: '# file is locked with a password.', other: '# files are locked with a password.' }),
  unread: (count) => plural(count, { one: '# file could not be read.', other: '# files could not be read.' }),
  pages: (count) =>
    plural(count, {
      one: '# more page of a file is left out.',
      other: '# more pages of files are left out.',
    }),
  table: () => t`Parts of a table are left out.`,
  files: (count) => leftOutText({ what: 'files', count }),
  text: () => leftOutText({ what: 'text' }),
  codes: (count) => leftOutText({ what: 'codes', count }),
  mail: () => leftOutText({ what: 'mail' }),
  drafts: (count) => leftOutText({ what: 'drafts', count }),
};

function leftTexts(left: LeftOfMail): string[] {
  const kinds = Object.keys(LEFT_TEXTS) as LeftKind[];
  return kinds.flatMap((kind) => (left[kind] ? [LEFT_TEXTS[kind](left[kind])] : []));
}

interface Reminded {
  readonly coupon: string;
  readonly merchant: string;
  readonly days: number;
  /** Its last day, which stays true when the text is read later. */
  readonly day: string;
}

/** Reminders of a coupon's last day, for its owner and for people who have saved it. */
export const DAYS_LEFT_TEXTS = stored('daysLeft', {
  subject: ({ days }: { days: number }) => t`A coupon has ${days} days left`,
  owner: ({ coupon, merchant, days, day }: Reminded) =>
    t`Your coupon ${quote(coupon)} from ${quote(merchant)} has ${days} days left. Its last day is ${formatDay(day)}.`,
  saver: ({ coupon, merchant, days, day }: Reminded) =>
    t`The coupon you saved, ${quote(coupon)} from ${quote(merchant)}, has ${days} days left. Its last day is ${formatDay(day)}.`,
});

interface ReminderTexts {
  readonly subject: () => string;
  readonly owner: Text<{ readonly coupon: string; readonly merchant: string }>;
  readonly saver: Text<{ readonly coupon: string; readonly merchant: string }>;
}

/** Reminders as 1.0.0 wrote them. They are only read. */
export const PAST_REMINDERS = stored('reminder', {
  7: {
    subject: () => t`A coupon expires in a week`,
    owner: ({ coupon, merchant }) =>
      t`Your coupon ${quote(coupon)} from ${quote(merchant)} expires in 7 days.`,
    saver: ({ coupon, merchant }) =>
      t`The coupon you saved, ${quote(coupon)} from ${quote(merchant)}, expires in 7 days.`,
  },
  1: {
    subject: () => t`A coupon expires tomorrow`,
    owner: ({ coupon, merchant }) =>
      t`Your coupon ${quote(coupon)} from ${quote(merchant)} expires tomorrow.`,
    saver: ({ coupon, merchant }) =>
      t`The coupon you saved, ${quote(coupon)} from ${quote(merchant)}, expires tomorrow.`,
  },
} satisfies Record<7 | 1, ReminderTexts>);

interface Found {
  readonly title: string;
  readonly merchant: string;
}

export const WANT_TEXTS = stored('want', {
  found: ({ title, merchant }: Found) => t`From your wish list: ${quote(title)} from ${quote(merchant)}.`,
});

const namesOf = (coupons: readonly Found[]) =>
  coupons.map(({ title, merchant }) => t`${quote(title)} from ${quote(merchant)}`);

/** The daily mail: it names some coupons and counts the others. */
export const WANT_DIGEST = stored('wantDigest', {
  subject: ({ count }: { count: number }) =>
    plural(count, { one: 'Your wish list: # new coupon', other: 'Your wish list: # new coupons' }),
  body: ({ named, more }: { named: readonly Found[]; more: number }) =>
    t`New since yesterday: ${listed(more === 0 ? namesOf(named) : [...namesOf(named), t`${more} more`])}.`,
});
