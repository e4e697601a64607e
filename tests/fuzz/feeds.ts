import type { FeedOffer } from '#contract/coupons/discover.ts';
import {
  CODE_MAX,
  DESCRIPTION_MAX,
  MERCHANT_MAX,
  PERCENTAGE_MAX,
  TITLE_MAX,
  URL_MAX,
  VALUE_MAX,
} from '#contract/coupons/limits.ts';
import { readCode } from '#server/readers/feeds/codes.ts';
import { ordersOf, readDate } from '#server/readers/feeds/dates.ts';
import { decodeText } from '#server/readers/feeds/decoding.ts';
import { FeedRefusal } from '#server/readers/feeds/feeds.ts';
import { readWorth, type Worth } from '#server/readers/feeds/money.ts';
import { isNoCode } from '#server/readers/feeds/no-code.ts';
import { readRegions } from '#server/readers/feeds/regions.ts';
import { readRows } from '#server/readers/feeds/rows.ts';
import type { FeedReading } from '#server/readers/feeds/settings.ts';
import { forShoppers } from '#server/readers/feeds/shop-words.ts';
import { plainCode, plainText } from '#server/readers/feeds/text.ts';
import { readTitleWorth } from '#server/readers/feeds/title-worth.ts';
import { isCount, isDay, isStorable, promise, type Target, textTarget, unlessRefused } from './target.ts';

async function* pieces(bytes: Buffer, size = bytes.length): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export function checkWorth(worth: Worth | null): void {
  if (worth === null) return;
  const max = worth.discountType === 'percentage' ? PERCENTAGE_MAX : VALUE_MAX;
  promise(isCount(worth.value, max), 'a value is a whole number of hundredths that a coupon may have');
}

function checkOffer(offer: FeedOffer): void {
  const { merchant, code, title, description, terms, sourceUrl, imageUrl } = offer;
  const bounded: [text: string | null, max: number][] = [
    ...([
      [merchant, MERCHANT_MAX],
      [code, CODE_MAX],
      [title, TITLE_MAX],
    ] as [string, number][]),
    ...([
      [description, DESCRIPTION_MAX],
      [sourceUrl, URL_MAX],
      [imageUrl, URL_MAX],
    ] as [string, number][]),
  ];
  for (const [text, max] of bounded) promise((text ?? '').length <= max, 'a text of an offer is bounded');
  promise(code !== '' && merchant !== '' && title !== '', 'an offer has a code, a merchant and a title');
  for (const text of [merchant, code, title, description, terms ?? ''])
    promise(isStorable(text), 'a text of an offer can be stored');
  for (const url of [sourceUrl, imageUrl])
    promise(url === null || /^https?:\/\/[^/@]+(?:\/|$)/.test(url), 'an address is one of the web');
  for (const day of [offer.startDate, offer.expiryDate])
    promise(day === null || isDay(day), 'a date is a day of the calendar');
  checkWorth(
    offer.value === null ? null : { value: offer.value, discountType: offer.discountType ?? 'fixed' },
  );
}

/** The rows in the order of their lines, whatever pieces their bytes come in. */
async function readFeed(bytes: Buffer, reading: FeedReading): Promise<void> {
  const readIn = async (size?: number) => {
    const rows: unknown[] = [];
    for await (const row of readRows(pieces(bytes, size), reading)) {
      rows.push(row);
      if ('offer' in row) checkOffer(row.offer);
      else promise(row.problem !== '', 'a problem has words');
    }
    return rows;
  };
  const whole = await unlessRefused(() => readIn(), FeedRefusal);
  if (bytes.length > 2_000) return;
  const cut = await unlessRefused(() => readIn(7), FeedRefusal);
  promise(JSON.stringify(whole) === JSON.stringify(cut), 'pieces of a feed read like the whole');
}

const FIELDS = ['merchant', 'code', 'title', 'description', 'value', 'end', 'url'];
const FILLED = ['Pizza Palazzo', 'SAVE10', '10% off all pizzas', 'Until Sunday', '10%', '2031-12-31'];
const ROW = [...FILLED, 'https://palazzo.example/a'];
const JSON_ROW = Object.fromEntries(FIELDS.map((name, index) => [name, ROW[index]]));
const XML_ROW = FIELDS.map((name, index) => `<${name}>${ROW[index]}</${name}>`).join('');

function feedTarget(
  format: FeedReading['format'],
  given: Pick<Target, 'seeds' | 'parts' | 'packages'>,
): Target {
  const name = `feed-${format}`;
  return { ...given, name, longest: 60_000, parse: (input) => readFeed(input, { format }) };
}

const CHARSETS = [undefined, 'windows-1252', 'utf-16le', 'shift_jis', 'gb18030'];

const DATES = [
  ...['2031-12-31', '31.12.2031', '12/31/2031 11:59 pm', '20311231T235959Z', '1956441599', '47849,5'],
  ...[
    'Thu Dec 31 23:59:59 UTC 2031',
    '31. Dezember 2031',
    '2031-12-31T23:59:59+05:30',
    '2031年12月31日',
    'never',
  ],
];

export const FEED_TARGETS: readonly Target[] = [
  feedTarget('csv', {
    seeds: [
      `${FIELDS.join(',')}\n${ROW.join(',')}\n`,
      `sep=;\r\n${FIELDS.join(';')}\r\n"a ""b""\nc";=“0042”;${ROW.slice(2).join(';')}\r\n`,
      `\ufeff${FIELDS.join('\t')}\r${ROW.join('\t')}\r`,
    ],
    parts: ['"', 'a,', '\n', '"a"\n', '"\n', ',', '=""', 'code,title,merchant\n"'],
    packages: ['csv-parse'],
  }),
  feedTarget('json', {
    seeds: [
      JSON.stringify([JSON_ROW]),
      JSON.stringify({ data: { offers: [JSON_ROW, { ...JSON_ROW, code: ['A1', 'B2'], value: 12.5 }] } }),
    ],
    parts: ['[', '{"a":', '[{"code":"A1","title":"b"},', '9', '"', '\\u0041', ' '],
    packages: ['lossless-json'],
  }),
  feedTarget('xml', {
    seeds: [
      `<?xml version="1.0" encoding="utf-8"?><!-- made by hand --><offers><offer>${XML_ROW}</offer></offers>`,
      `<!DOCTYPE a [<!ELEMENT a ANY>]><a:b xmlns:a="c"><item code="A&amp;B"><![CDATA[x]]>&#65; & ${XML_ROW}</item></a:b>`,
    ],
    parts: [
      '<!--',
      '<!-- a -->',
      '<?a?>',
      '<![CDATA[',
      '<a>',
      '<a b="',
      '&',
      '&#1;',
      ' ',
      '<a/>',
      '<!DOCTYPE a [',
      '\n',
    ],
    packages: ['fast-xml-parser'],
  }),
  feedTarget('html', {
    seeds: [
      `<html><script type="application/ld+json">${JSON.stringify({ '@type': 'Offer', ...JSON_ROW })}</script>`,
    ],
    parts: ['<', '<a>', '<div>', '<script type="application/ld+json">', '<!--', '&', '"', "<a b='", '<b><p>'],
    packages: ['lossless-json', 'cheerio', 'parse5'],
  }),
  {
    name: 'feed-charset',
    seeds: [
      '<?xml encoding="iso-8859-1"?><a/>',
      Buffer.from('\ufeffcode', 'utf16le'),
      'é',
      Buffer.of(0, 65),
      `<?xml ${' '.repeat(200)} encoding="iso-8859-1"?>é`,
    ],
    parts: [' ', '<?xml ', '\0', '\xff'],
    longest: 60_000,
    async parse(input) {
      const charset = CHARSETS[(input[0] ?? 0) % CHARSETS.length];
      const readIn = async (size?: number) => {
        let text = '';
        for await (const piece of decodeText(pieces(input, size), charset)) text += piece;
        return text;
      };
      const whole = await unlessRefused(() => readIn(), FeedRefusal);
      const cut = await unlessRefused(() => readIn(50), FeedRefusal);
      promise(whole === cut, 'pieces are decoded like the whole');
    },
  },
  textTarget({
    name: 'dates',
    seeds: DATES,
    parts: ['1', '1 ', 'T', '1:', ' ', '12/', 'a ', '2031-12-31 ', '(', '.', 'um '],
    read(text) {
      for (const order of [null, 'dayFirst', 'monthFirst'] as const) {
        const { day, time } = readDate(text, order);
        promise(day === null || day === 'unreadable' || isDay(day), 'a date is a day of the calendar');
        promise(time === null || !Number.isNaN(Date.parse(time.slice(0, 19))), 'a time is one');
        if (day !== null && day !== 'unreadable')
          promise(readDate(day, order).day === day, 'a day that was read is read again');
      }
      const orders = ordersOf(text);
      promise(orders === null || orders.length > 0, 'a date has an order or none to decide');
    },
  }),
  textTarget({
    name: 'amounts-of-feeds',
    seeds: [
      '10%',
      '$1,234.50 off',
      '40.00 GBP',
      '€ 12',
      '12.5',
      'Save 20% on everything',
      'Spare 5,50 € extra',
    ],
    parts: ['1', '1,', '1.', '111,', '% ', '$', '1% ', 'a ', ' ', '1 - '],
    read(text) {
      const blank = { percentOff: '', amountOff: '', discount: '', discountType: '', currency: '' };
      for (const field of ['percentOff', 'amountOff', 'discount'] as const)
        checkWorth(readWorth({ ...blank, [field]: text }, 'CAD'));
      checkWorth(readWorth({ ...blank, discount: '10', discountType: text, currency: text }, 'CAD'));
      checkWorth(readTitleWorth(text, 'CAD'));
      checkWorth(readTitleWorth(text, null));
    },
  }),
  textTarget({
    name: 'codes',
    seeds: [
      'SAVE10',
      '="0042"',
      'Use code: FALL-25!',
      'no code needed',
      'keine Gutscheincode',
      'A1B2 or C3D4',
      '****',
    ],
    parts: [
      ...[
        'gutscheincode ',
        'no',
        'code ',
        'A1',
        'A',
        '1',
        'a.',
        'a@',
        'x',
        '"',
        "'",
        ' ',
        '-',
        'code: A1 or ',
      ],
      ...['codepromo', 'nie', 'sinningun', 'promo code ', '&amp;', '<b>', '<br', '&#65;'],
    ],
    packages: ['entities', 'cheerio'],
    read(text) {
      for (const texts of [[], [text]]) {
        const read = readCode(texts.length > 0 ? [] : [text], texts);
        if ('code' in read) {
          promise(read.code !== '' && isStorable(read.code), 'a code can be stored');
          promise(!isNoCode(read.code), 'a code is no words for none');
        } else promise(read.problem !== '', 'a problem has words');
      }
    },
  }),
  textTarget({
    name: 'texts-of-feeds',
    seeds: [
      '<p>10% &amp;amp; more</p>',
      'Affiliates must not bid. Save now!',
      'a\u0000b\ud800',
      '&lt;b&gt;x&lt;/b&gt;',
    ],
    parts: [
      '<',
      '<b>',
      '<div>',
      '&',
      '&amp;',
      '<!--',
      ' ',
      'a. ',
      '\u200d',
      'note to ',
      'publishers ',
      '&lt;b&gt;',
    ],
    packages: ['entities', 'cheerio', 'parse5'],
    read(text) {
      for (const plain of [plainText(text), plainCode(text)]) {
        promise(isStorable(plain), 'a plain text can be stored');
        promise(plain === plain.trim() && !/\s\s|[\r\n\t]/.test(plain), 'a plain text is on one line');
      }
      promise(forShoppers(plainText(text)).length <= plainText(text).length, 'sentences are only left out');
    },
  }),
  textTarget({
    name: 'regions',
    seeds: ['CA, US', 'Germany/France', 'eu', 'ca us', 'all'],
    parts: ['ca ', 'ca,', ' ', 'a', '/'],
    read(text) {
      for (const code of readRegions(text)) promise(/^[A-Z]{2}$/.test(code), 'a region is a country');
    },
  }),
];
