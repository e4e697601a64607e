import { visibleCode, withoutInvisible } from '#contract/base/invisible.ts';
import { foldBlanks, lineProblem, withoutLinks } from '#contract/base/one-line.ts';
import { couponTableSchema, TABLE_TEXT_MAX } from '#contract/coupons/coupon-tables.ts';
import { expandUpcE, hasGtinCheckDigit, hasLuhnCheckDigit } from '#server/core/check-digits.ts';
import { canonicalCode, canonicalMerchant, skeleton } from '#server/core/fold.ts';
import { redact } from '#server/oversight/checks/job-runs.ts';
import { judgeByLibrary } from '#server/providers/validators/library/judge.ts';
import { judgeByPattern } from '#server/providers/validators/pattern.ts';
import { readMailText } from '#server/readers/mails/mail-text.ts';
import { lastDayOf, offsetOf } from '#server/readers/pictures/pass-dates.ts';
import { symbolText } from '#server/readers/pictures/symbol-text.ts';
import { readTable } from '#server/readers/tables/tables.ts';
import { checkWorth } from './feeds.ts';
import { isDay, promise, type Target, textTarget } from './target.ts';

const TODAY = '2030-11-01';
const NOW = new Date(`${TODAY}T12:00:00Z`);

export const COUPON_TARGETS: readonly Target[] = [
  textTarget({
    name: 'tables',
    seeds: [
      'shop,what,code,until\nPizza Palazzo,10% off,SAVE10,12/31/2031\n',
      'Pizza Palazzo\t$5\tABC123\t03/04/2031\nShear Joy\t0.2\t1E+12\tnever',
      '"sep=;"\nmagasin;rabais;code promo;échéance\n"A ""B""";15 %;X1;31.12.2031',
    ],
    parts: ['a,', '"', '\n', '\t', '1', 'gutscheincode ', '1/', 'a@', 'A1 ', '$', '"\n', ';', '<b>', 'code,'],
    longest: TABLE_TEXT_MAX,
    packages: ['csv-parse'],
    async read(text) {
      const table = await readTable({ text: text.slice(0, TABLE_TEXT_MAX), dateOrder: 'dayFirst' });
      couponTableSchema.parse(table);
      for (const { coupon } of table.rows)
        promise(coupon.expiryDate === '' || isDay(coupon.expiryDate), 'a last day is one of the calendar');
    },
  }),
  textTarget({
    name: 'prints',
    seeds: [
      'Pizza Palazzo\n$5 OFF\nany large order\nExpires 12/31/2030\nLimit one per customer.\nCode: AB12-CD34',
      'From: Shear Joy <a@b.example>\nSubject: 20% de rabais\n\nValable jusqu’au 31 janvier 2031',
      'Gift card 1: $25.00\nCode: GIFT-AAAA-1111\nPIN: 4471\n\nCard number\t6035 0012 3456 7890\nCode A1B2 or C3D4',
    ],
    parts: [
      '1',
      '1/',
      'a ',
      '\n',
      '$5 off ',
      'jan 1 ',
      '1-',
      '-',
      ' ',
      'code ',
      '> ',
      'from: ',
      'expires ',
      'a:',
      'http://a',
      '*',
      '*a* ',
      'code: A1B2\n',
      'card number ',
      'PIN\t',
      'a | ',
      '<http://',
      '12 ',
      'A1 ',
      'on 1 wrote ',
    ],
    longest: 50_000,
    read(text) {
      const { coupons } = readMailText({ content: text, html: '', from: 'Shear Joy', subject: text }, TODAY);
      for (const { code, pin, print } of coupons) {
        const { worth, expiryDate, title } = print;
        checkWorth(worth?.value ?? null);
        promise(expiryDate === null || isDay(expiryDate.value), 'a last day is one of the calendar');
        promise(expiryDate === null || expiryDate.value >= TODAY, 'a last day is not over');
        for (const secret of [code, pin])
          promise(secret.length < 4 || !title?.value.includes(secret), 'a title says no code');
      }
    },
  }),
  textTarget({
    name: 'standard-codes',
    seeds: [
      '(8110)10614141234561120013001013101234567',
      ']C18112006141410222612345678901',
      '4006381333931',
      '0112345678901231',
      '04252614',
      '4111 1111 1111 1111',
    ],
    parts: ['1', '0', ' ', '(8110)', '-', 'X', 'a.', 'no code ', 'see the ', 'XX '],
    read(text) {
      for (const verdict of [
        judgeByLibrary({ merchant: 'Shear Joy', code: text, now: NOW }),
        judgeByPattern({ merchant: 'Shear Joy', code: text }),
      ])
        promise(!JSON.stringify(verdict ?? {}).includes('undefined'), 'a verdict has all its words');
      const wide = expandUpcE(text);
      promise(wide === null || /^\d{12}$/.test(wide), 'a short number has twelve digits');
      const digits = text.replace(/\D/g, '');
      hasGtinCheckDigit(digits);
      hasLuhnCheckDigit(digits);
    },
  }),
  textTarget({
    name: 'spellings',
    seeds: [
      'Pizza-Palazzo Inc.',
      'https://www.example.co.uk/',
      'Ｓａｖｅ　１０',
      'Ζάρα',
      'O\u200dNe\u0301ill',
      'vvvv rn',
    ],
    // Schemas bound them before they are folded.
    longest: 2_000,
    parts: ['a', '.com', 'inc ', 'v', '\u0301', '\u200d', '&', ' ', 'ﷺ', '.', 'w'],
    read(text) {
      for (const form of [skeleton, canonicalMerchant, canonicalCode]) {
        const once = form(text);
        promise(
          once.toLowerCase() === form(text.normalize('NFC')).toLowerCase(),
          'composed letters are the same',
        );
      }
      promise(visibleCode(visibleCode(text)) === visibleCode(text), 'a visible code stays');
      const shown = symbolText('QRCode', text, Buffer.from(text));
      promise(!shown.isText || visibleCode(shown.text) === shown.text, 'the text of a symbol is visible');
    },
  }),
  textTarget({
    name: 'lines',
    seeds: ['Booking.com', 'a@b.co', 'https://x.example', '👩‍👩‍👧 ❤️', 'a\u200bb', 'a\u202eb'],
    parts: ['@', 'a@', 'a.', '😀', '\u200d', '1\ufe0f', ' ', '://', 'www', '．a', '\u0301'],
    // Schemas bound them before they are looked at.
    longest: 2_000,
    read(text) {
      const line = foldBlanks(text);
      promise(foldBlanks(line) === line, 'a folded line stays');
      lineProblem(line);
      withoutInvisible(text);
      promise(lineProblem(foldBlanks(withoutLinks(line))) !== '', 'a problem has words');
    },
  }),
  textTarget({
    name: 'messages-of-errors',
    seeds: [
      'connect ECONNREFUSED to https://a:b@c.example/d?key=1 for a@b.example with ABCDEFGHIJKLMNOPQRST1',
    ],
    parts: ['a', 'a@', 'a.', '@a.', '?', '=', '//', '//a', '"', ' '],
    read(text) {
      promise(redact(text).length <= 300, 'a message is short');
    },
  }),
  textTarget({
    name: 'days-of-passes',
    seeds: ['2031-05-24T10:00-05:00', '2031-12-31', '2031-12-31T24:00Z', '2031-01-01 07:59:59 UTC'],
    parts: ['1', '2031-12-31', ' ', '-', '1:'],
    read(text) {
      const clock = offsetOf(text);
      for (const place of [
        { clock, sun: null },
        { clock: null, sun: -500 },
      ]) {
        const day = lastDayOf(text, place);
        promise(day === null || isDay(day), 'the last day of a pass is one of the calendar');
      }
    },
  }),
];
