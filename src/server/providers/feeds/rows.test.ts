import { describe, expect, it } from 'vitest';
import { readFeedBytes, readFeedText, readOnlyOffer } from '#server/testing/feeds.ts';
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

  it('is refused above its size limit', async () => {
    async function* endless() {
      const piece = Buffer.alloc(1 << 20, ' ');
      for (;;) yield piece;
    }
    await expect(readFeedBytes(endless(), { format: 'xml' })).rejects.toThrow('larger than 16 MB');
  });
});
