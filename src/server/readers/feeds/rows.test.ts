import { describe, expect, it } from 'vitest';
import { readFeedBytes, readFeedText, readOnlyOffer } from '#tests/support/feeds.ts';
import type { FeedReading } from './settings.ts';

describe('the charset', () => {
  const CSV = 'merchant,code,title\nCafé Šárka,K,Zwei für 5 €\n';
  const ITEM = '<item><merchant>Café</merchant><code>K</code><title>Zwei für einen</title></item>';
  const XML = `<?xml version="1.0" encoding="windows-1252"?><list>${ITEM}${ITEM}</list>`;
  const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');

  /** Reads bytes that come one by one. */
  const read = (bytes: Buffer, reading: FeedReading) =>
    readFeedBytes(
      (async function* () {
        for (const byte of bytes) yield Uint8Array.of(byte);
      })(),
      reading,
    );

  it.each([
    ['UTF-8', Buffer.from(CSV), undefined],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${CSV}`), undefined],
    ['UTF-16 with a mark', utf16(`\ufeff${CSV}`), undefined],
    ['UTF-16 with a mark, and another charset in the setting', utf16(`\ufeff${CSV}`), 'utf-8'],
    ['UTF-16, high bytes first, with a mark', swapped(utf16(`\ufeff${CSV}`)), undefined],
    ['UTF-16 without a mark', utf16(CSV), undefined],
    ['UTF-16, high bytes first, without a mark', swapped(utf16(CSV)), undefined],
    [
      'Windows-1250 by the setting',
      Buffer.from(CSV.replace('€', '\x80').replaceAll('Š', '\x8a'), 'latin1'),
      'windows-1250',
    ],
  ])('%s is read to the last letter', async (_name, bytes, charset) => {
    expect(await read(bytes, { format: 'csv', ...(charset && { charset }) })).toMatchObject([
      { offer: { merchant: 'Café Šárka', title: 'Zwei für 5 €' } },
    ]);
  });

  it('that an XML declaration names is followed', async () => {
    expect(await read(Buffer.from(XML, 'latin1'), { format: 'xml' })).toMatchObject([
      ...[1, 2].map(() => ({ offer: { merchant: 'Café', title: 'Zwei für einen' } })),
    ]);
    await expect(read(Buffer.from(XML.replace('windows-1252', 'x-none')), { format: 'xml' })).rejects.toThrow(
      'It says that its charset is x-none, which cannot be read.',
    );
  });

  it('that the bytes do not have refuses the feed before a letter is lost', async () => {
    const latin = Buffer.from(CSV.replace('Š', 's').replace('€', 'EUR'), 'latin1');
    await expect(read(latin, { format: 'csv' })).rejects.toThrow('It is not text in UTF-8: set its charset');
    await expect(read(Buffer.from(CSV).subarray(0, -12), { format: 'csv' })).resolves.toHaveLength(1);
    // Cut within a character.
    const cut = Buffer.from(CSV).subarray(0, Buffer.from(CSV).indexOf('€') + 1);
    await expect(read(cut, { format: 'csv' })).rejects.toThrow('It is not text in UTF-8');
  });
});

describe('only the broken row is lost', () => {
  const header = 'merchant,code,title';
  const reading = { format: 'csv' } as const;
  const outcomes = async (...lines: string[]) =>
    (await readFeedText([header, ...lines].join('\r\n'), reading)).map((row) =>
      'offer' in row ? `${row.line} ${row.offer.code}` : `${row.line} ${row.problem}`,
    );

  it('with an unclosed quote', async () => {
    expect(
      await outcomes('Acme,A,"first', 'Acme,B,second', 'Acme,C,"third, quoted"', 'Acme,D,fourth'),
    ).toEqual(['2 Its quotes do not match', '3 B', '4 C', '5 D']);
    expect(await outcomes('Acme,A,"last')).toEqual(['2 Its quotes do not match']);
    expect(await outcomes('Acme,A,"one', 'Acme,B,two', 'Acme,C,three')).toEqual([
      '2 Its quotes do not match',
      '3 B',
      '4 C',
    ]);
  });

  it('with a quote that closes too early, or in the middle of a cell', async () => {
    expect(await outcomes('Acme,A,"a "bad" one"', 'Acme,B,a 15" screen', 'Acme,C,"a ""good"" one"')).toEqual([
      '2 Its quotes do not match',
      '3 B',
      '4 C',
    ]);
  });

  it('with too many cells, which would shift the code; too few are accepted', async () => {
    expect(await outcomes('Acme, Inc.,A,first', 'Acme,B,second,,', 'Acme', 'Acme,D,fourth')).toEqual([
      '2 It has 4 columns where 3 are named',
      '3 B',
      '4 It has no code',
      '5 D',
    ]);
  });

  it('with an endless line, which is not kept in memory', async () => {
    expect(await outcomes(`Acme,A,${'x'.repeat(200_000)}`, 'Acme,B,second')).toEqual([
      '2 It is too long',
      '3 B',
    ]);
  });

  it('never with markup that is nested deeper than calls can be', async () => {
    expect(await outcomes(`Acme,A,${'<b>'.repeat(6_000)}first`, 'Acme,B,second')).toEqual(['2 A', '3 B']);
  });

  it('while line ends inside quotes belong to the row and count as lines', async () => {
    expect(await outcomes('Acme,A,"first', 'and more"', '', 'Acme,B,second')).toEqual(['2 A', '5 B']);
  });

  it('in JSON', async () => {
    const json = JSON.stringify([{ merchant: 'Acme', code: 'A', title: 'first' }, 'no record', null]);
    expect(await readFeedText(json, { format: 'json' })).toMatchObject([
      { line: 1, offer: { code: 'A' } },
      { line: 2, problem: 'It is not a record with fields' },
      { line: 3, problem: 'It is not a record with fields' },
    ]);
  });
});

describe('a code keeps every digit', () => {
  it.each([
    [
      'json',
      '[{"merchant":"Shop","title":"Ten off","code":9007199254740993},{"merchant":"Shop","title":"x","code":1.0}]',
    ],
    ['csv', 'merchant,code,title\nShop,="9007199254740993",Ten off\nShop,9.00719925474099E+15,x\n'],
    ['csv', 'merchant,code,title\nShop,"=""9007199254740993""",Ten off\nShop,,x\n'],
  ] as const)('of a number in %s', async (format, text) => {
    expect(await readFeedText(text, { format })).toMatchObject([
      { offer: { code: '9007199254740993' } },
      { problem: 'It has no code' },
    ]);
  });

  it('and zeros in front', async () => {
    const csv = 'merchant,code,title\nShop,="0042",="10% off"\nShop,\'0043,x\n';
    expect(await readFeedText(csv, { format: 'csv' })).toMatchObject([
      { offer: { code: '0042', title: '10% off' } },
      { offer: { code: '0043' } },
    ]);
  });
});

it('a document may have only one offer, or an answer with a code around the list', async () => {
  const offer = { merchant: 'Shop', code: 'ONE10', title: 'Ten off', tags: [{ name: 'a' }, { name: 'b' }] };
  for (const document of [{ offers: { offer } }, { code: 200, data: { offers: [offer] } }])
    expect(await readOnlyOffer(JSON.stringify(document), { format: 'json' })).toMatchObject({
      code: 'ONE10',
    });
});

it('entities are decoded as often as they were encoded, before a merchant is named', async () => {
  const encodings = [
    'Marks & Co',
    'Marks &amp; Co',
    'Marks &amp;amp; Co',
    'Marks &amp;amp;amp;amp; Co',
    'Marks &#38;#38; Co',
  ];
  const csv = [
    'merchant,code,title,url',
    ...encodings.map((name, at) => `${name},A${at},Ten off,https://shop.example/?a=1&amp;amp;b=2`),
  ];
  const rows = await readFeedText(csv.join('\n'), { format: 'csv' });
  const offer = { merchant: 'Marks & Co', sourceUrl: 'https://shop.example/?a=1&b=2' };
  expect(rows).toMatchObject(encodings.map(() => ({ offer })));
  const xml =
    '<a><offer><merchant>L&amp;amp;eacute;a\u200b</merchant><code>L1</code><title>&amp;lt;p&amp;gt;Ten off&amp;lt;/p&amp;gt;</title></offer></a>';
  expect(await readOnlyOffer(xml, { format: 'xml' })).toMatchObject({ merchant: 'Léa', title: 'Ten off' });
});

describe('the whole text', () => {
  it('may have another delimiter and configured field names', async () => {
    expect(
      await readOnlyOffer('Shop;Kupon;Titel\r\nCafé;KAFFEE;Zwei für einen\r\n', {
        format: 'csv',
        fields: { code: ['Kupon'], title: ['Titel'] },
      }),
    ).toMatchObject({ merchant: 'Café', code: 'KAFFEE', title: 'Zwei für einen' });
  });

  it('is refused when it does not have the format', async () => {
    await expect(readFeedText('{', { format: 'json' })).rejects.toThrow('It is not JSON.');
    await expect(readFeedText('{"a":1}', { format: 'json' })).rejects.toThrow('It has no list of offers');
    // The page after the last one keeps the frame.
    const empty = '<couponfeed><TotalMatches>3</TotalMatches></couponfeed>';
    expect(await readFeedText(empty, { format: 'xml', network: 'rakuten' })).toEqual([]);
    await expect(readFeedText('<a><b></a>', { format: 'xml' })).rejects.toThrow('It is not XML.');
    await expect(readFeedText('\n,,\nx', { format: 'csv' })).rejects.toThrow('does not name columns');
    expect(await readFeedText('', { format: 'csv' })).toEqual([]);
  });

  it('may contain many standard entities, and its own entities are refused', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><rss><item><code>&b;</code></item></rss>`;
    await expect(readFeedText(bomb, { format: 'xml' })).rejects.toThrow('DOCTYPE');
    const item = `<item><merchant>A &amp; B</merchant><code>X</code><title>${'&lt;&gt; '.repeat(20)}</title></item>`;
    const rows = await readFeedText(`<rss><list>${item.repeat(500)}</list></rss>`, { format: 'xml' });
    expect(rows).toHaveLength(500);
    expect(rows[499]).toMatchObject({ offer: { merchant: 'A & B' } });
  });

  const OFFER =
    '<offer><merchant>Shop</merchant><code>XML10</code><title>Tom & Jerry: 10% off</title></offer>';
  it.each([
    [
      'in UTF-16 by its word, in UTF-8 by its bytes',
      `<?xml version="1.0" encoding="utf-16"?>\n<a>${OFFER}</a>`,
    ],
    ['with blank lines in front', `\n\n<?xml version="1.0"?>\n<a>${OFFER}</a>`],
    ['with a DOCTYPE', `<?xml version="1.0"?>\n<!DOCTYPE a SYSTEM "a.dtd">\n<a>${OFFER}</a>`],
    ['with a DOCTYPE that declares elements', `<!DOCTYPE a [<!ELEMENT a (offer)>\n]>\n<a>${OFFER}</a>`],
    ['with HTML in a text', `<a>${OFFER.replace('10% off', '<![CDATA[<!DOCTYPE html>&nbsp;10% off]]>')}</a>`],
  ])('of XML is read: %s', async (_, xml) => {
    expect(await readOnlyOffer(xml, { format: 'xml' })).toMatchObject({
      merchant: 'Shop',
      code: 'XML10',
      title: expect.stringMatching(/^Tom & Jerry: ?(?:<!DOCTYPE html>)? ?10% off$/),
    });
  });

  it('names the line at which it cannot be read', async () => {
    await expect(readFeedText('\n<a>\n<b>\n</a>', { format: 'xml' })).rejects.toThrow(
      /^It is not XML\. Line \d: /,
    );
    await expect(readFeedText('[{"code": 1},\n{"code" 2}]', { format: 'json' })).rejects.toThrow(
      'It is not JSON. There is a mistake in line 2.',
    );
  });

  it.each(['\n', '\r\n', '\r'])('may have lines that end with %j', async (end) => {
    const csv = ['sep=;', 'Merchant;Code;Title', 'Shop;A10;"Ten', 'off"', 'Shop;B20;Twenty off', ''].join(
      end,
    );
    expect(await readFeedText(csv, { format: 'csv' })).toMatchObject([
      { line: 3, offer: { code: 'A10', title: 'Ten off' } },
      { line: 5, offer: { code: 'B20' } },
    ]);
  });

  it('is refused above its size limit', async () => {
    async function* endless() {
      const piece = Buffer.alloc(1 << 20, ' ');
      for (;;) yield piece;
    }
    await expect(readFeedBytes(endless(), { format: 'xml' })).rejects.toThrow('larger than 16 MB');
  });
});
