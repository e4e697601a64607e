import { CURRENCIES } from '#contract/base/money.ts';
import { canonicalCode } from '#server/core/fold.ts';
import { readCode } from '#server/readers/feeds/codes.ts';
import { fixedWorth, readWorth, type Worth } from '#server/readers/feeds/money.ts';
import { isNoCode } from '#server/readers/feeds/no-code.ts';
import { readTitleWorth } from '#server/readers/feeds/title-worth.ts';
import { readMailText } from '#server/readers/mails/mail-text.ts';
import { readTable } from '#server/readers/tables/tables.ts';
import { seeded } from '../fixtures/codes.ts';
import { promise, type Target, textTarget } from './target.ts';

/** Chooses among what people write, always the same for one input. */
function choicesOf(input: string) {
  const random = seeded([...input].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) >>> 0, 7));
  const below = (count: number) => Math.floor(random() * count);
  const one = <Item>(items: readonly [Item, ...Item[]]): Item => items[below(items.length)] ?? items[0];
  return { below, one };
}

/** How many values one input stands for. */
const VALUES = 20;

/** A reader of what was written by a known value: the seeds only begin its choices, and it has no long inputs. */
function seenTarget(
  name: string,
  act: (choices: ReturnType<typeof choicesOf>) => Promise<void> | void,
): Target {
  const read = async (input: string) => {
    const choices = choicesOf(input);
    for (let count = 0; count < VALUES; count += 1) await act(choices);
  };
  return textTarget({ name, seeds: ['a', 'b', 'c', 'd'], parts: ['a', '7'], longest: 200, read });
}

const LOCALES = (
  'en en-CA en-GB en-IN fr fr-CA fr-CH de de-CH de-AT es es-MX it nl pt pt-PT pl sv nb da fi cs sk hu ro bg el tr ru uk ' +
  'sl ca lt lv et id ja zh ko ar-u-nu-latn he'
).split(' ') as [string, ...string[]];
const BLANKS: [string, ...string[]] = [' ', '\u00a0', '\u202f', '\u2009'];

const same = (read: Worth | null, value: Worth | null) =>
  read === null || (read.value === value?.value && read.discountType === value.discountType);

/** Titles around an amount, and whether it is their value. */
const TITLES: [
  [title: (amount: string) => string, isValue: boolean],
  ...[(amount: string) => string, boolean][],
] = [
  [(amount) => `Save ${amount} today`, true],
  [(amount) => `${amount} off your order`, true],
  [(amount) => `Rabais de ${amount} sur un voyage`, true],
  [(amount) => `${amount} de réduction`, true],
  [(amount) => `${amount} Rabatt auf Räder`, true],
  [(amount) => `2 x ${amount} off`, false],
  [(amount) => `15 500 points et ${amount} de rabais`, false],
  [(amount) => `Save 5-${amount}`, false],
  [(amount) => `Up to ${amount} off`, false],
  [(amount) => `Save 3 for ${amount}`, false],
];

const DAYS = 3;
/** Before all days of the inputs. */
const TODAY = '2025-12-31';

/** What the text of a mail says of its coupon. */
function printOfMail(content: string) {
  const mail = { content, html: '', from: 'Shear Joy', subject: '' };
  return readMailText(mail, TODAY).coupons[0]?.print;
}

export const SEEN_TARGETS: readonly Target[] = [
  seenTarget('seen-amounts', async ({ below, one }) => {
    const currency = one(CURRENCIES);
    const hundredths = one([below(10_000), below(10_000) * 100, below(1_000_000), below(90_000_000)]) + 1;
    const fraction = currency === 'JPY' ? 0 : hundredths % 100 === 0 ? one([0, 2]) : 2;
    const shown = fraction === 0 ? Math.round(hundredths / 100) * 100 : hundredths;
    const format = new Intl.NumberFormat(one(LOCALES), {
      ...{ style: 'currency', currency, minimumFractionDigits: fraction, maximumFractionDigits: fraction },
      ...{ currencyDisplay: one(['symbol', 'narrowSymbol', 'code']) },
    });
    const text = format
      .format(shown / 100)
      .replace(/[\u00a0\u202f]/g, one(BLANKS))
      // Each door takes them out.
      .replace(/[\u200e\u200f\u061c]/g, '');
    const value = shown === 0 ? null : fixedWorth(shown, currency);
    const nothing = { percentOff: '', discount: '', discountType: '', currency: '' };
    promise(same(readWorth({ ...nothing, amountOff: text }, currency), value), `the field says ${text}`);
    promise(
      readWorth({ ...nothing, amountOff: `-${text}` }, currency) === null,
      `no value is below nothing: ${text}`,
    );
    const [title, isValue] = one(TITLES);
    const read = readTitleWorth(title(text), currency);
    promise(same(read, isValue ? value : null), `the title says ${title(text)}`);
    const table = await readTable({ text: `Code;Title;Amount\nA-1;Any;${text}`, dateOrder: 'dayFirst' });
    const [row] = table.rows;
    // A table and a mail are read in the currency of this market: a sign without a country is its own.
    if (currency !== 'CAD') return;
    const worth = printOfMail(title(text))?.worth ?? null;
    promise(
      worth === null || worth.isDoubtful || same(worth.value, isValue ? value : null),
      `the mail says ${title(text)}, and is read as ${worth?.value.value}`,
    );
    if (row)
      promise(
        row.doubts.value !== undefined || Number(row.coupon.value) * 100 - shown < 1e-6,
        `the cell says ${text}, and is read as ${row.coupon.value}`,
      );
  }),
  seenTarget('seen-days', async ({ below, one }) => {
    const [locale, dateStyle] = [
      one(LOCALES),
      one<Intl.DateTimeFormatOptions['dateStyle']>(['short', 'medium', 'long', 'full']),
    ];
    const calendar =
      below(8) === 0 ? one(['buddhist', 'islamic-umalqura', 'japanese', 'persian', 'roc']) : 'gregory';
    const shorts = [...'/-.'].flatMap((sign) => [
      (day: string) => day.split('-').toReversed().join(sign),
      (day: string) => [day.slice(5, 7), day.slice(8), day.slice(0, 4)].join(sign),
      (day: string) => [day.slice(8), day.slice(5, 7), day.slice(2, 4)].join(sign),
      (day: string) => day.replaceAll('-', sign),
    ]);
    const inWords = (day: string) =>
      new Intl.DateTimeFormat(locale, { dateStyle, calendar, timeZone: 'UTC' }).format(
        new Date(`${day}T00:00:00Z`),
      );
    const write = one([inWords, inWords, ...shorts]);
    const days = Array.from({ length: 1 + below(DAYS) }, () =>
      new Date(Date.UTC(2026, 0, 1 + below(2_000))).toISOString().slice(0, 10),
    );
    const text = `Code;Expires\n${days.map((day, at) => `A-${at};"${write(day)}"`).join('\n')}`;
    const { rows } = await readTable({ text, dateOrder: one(['dayFirst', 'monthFirst']) });
    for (const day of days) {
      const content = `10% off all coffee\nExpires ${write(day)}`;
      const expiryDate = printOfMail(content)?.expiryDate ?? null;
      promise(
        expiryDate === null || expiryDate.isDoubtful || expiryDate.value === day,
        `the mail says ${write(day)}, which is ${day}, and is read as ${expiryDate?.value}`,
      );
    }
    for (const [at, { coupon, doubts }] of rows.entries()) {
      const seen = days[at] ?? '';
      promise(
        coupon.expiryDate === seen || doubts.expiryDate !== undefined,
        `${write(seen)} is ${seen}, and is read as ${coupon.expiryDate || 'none'}`,
      );
      promise(!coupon.hasNoExpiry, `${write(seen)} is an end`);
    }
  }),
  seenTarget('seen-codes', ({ below, one }) => {
    const part = (signs: string, count: number) =>
      Array.from({ length: count }, () => signs[below(signs.length)]).join('');
    const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
    const code = one([
      `${one(['SAVE', 'WELCOME', 'SUMMER', 'VIP', 'HELLO', 'GETDEAL'])}${1 + below(99)}`,
      `${part(letters, 4)}-${part('23456789', 4)}-${part(letters, 2)}`,
      `${part(letters, 2)}${part('23456789', 6)}`,
      part('123456789', 12),
      one(['WELCOME', 'SUMMER', 'BIENVENUE', 'FREESHIP']),
    ]);
    const field = one<(text: string) => string>([
      (text) => text,
      (text) => `="${text}"`,
      (text) => `“${text}”`,
      (text) => ` ${text}\u00a0`,
      (text) => `Use code: ${text}`,
      (text) => `Code promo : ${text}`,
      (text) => `Gutscheincode: ${text}`,
      (text) => `<b>${text}</b>`,
      (text) => `${text.toLowerCase()}`,
    ])(code);
    const read = readCode([field], []);
    promise(
      'problem' in read || canonicalCode(read.code) === canonicalCode(code),
      `${field} names ${code}, and is read as ${JSON.stringify(read)}`,
    );
    promise('code' in readCode([code], []), `${code} is a code`);
    const words = one([
      ...([
        ['Get', 'deal'],
        ['Shop', 'now'],
        ['See', 'site'],
        ['Applied', 'at', 'checkout'],
      ] as [string[], ...string[][]]),
      ...[
        ['Voir', 'le', 'code'],
        ['Code', 'anzeigen'],
        ['No', 'code', 'needed'],
        ['Reveal', 'code'],
        ['Ver', 'oferta'],
      ],
    ]);
    const said = words.join(one([' ', '', '-', '_']));
    const none = one([said, said.toUpperCase(), said.toLowerCase()]);
    promise(isNoCode(none) && 'problem' in readCode([none], []), `${none} is no code`);
  }),
];
