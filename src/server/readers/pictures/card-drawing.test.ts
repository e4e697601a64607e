import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawCard } from './card-drawing.ts';
import { canWrite, write, writeLines } from './lettering.ts';
import type { Card } from './pictures.ts';
import { publishPicture } from './publishing.ts';

const CARD: Card = {
  stub: ['20%', 'off'],
  merchant: 'Bakery Lane',
  title: 'Twenty off bread',
  note: 'No expiry',
  market: 'ClipSwap',
  colors: { paper: '#f3ecdf', ticket: '#fffdf9', ink: '#241c15', dimmed: '#6a5e4e', market: '#c2431f' },
};

describe('a drawn ticket', () => {
  it('is a PNG of 1200 × 630 pixels in which no code can be read', async () => {
    const bytes = await drawCard(CARD);
    const { format, width, height } = await sharp(bytes).metadata();
    expect({ format, width, height }).toEqual({ format: 'png', width: 1200, height: 630 });
    expect(bytes.length).toBeLessThan(100_000);
    expect((await publishPicture(bytes, 'offer')).hasCode).toBe(false);
  });

  it.each([
    { title: 'Other' },
    { merchant: 'Other' },
    { stub: ['Other', 'off'] },
    { stub: ['20%', 'other'] },
    { note: 'Other' },
    { market: 'Other' },
    { colors: { ...CARD.colors, market: '#1f5f8b' } },
  ] as const)('shows %o', async (part) => {
    const other = await drawCard({ ...CARD, ...part });
    expect(other.equals(await drawCard(CARD))).toBe(false);
  });

  it('says that it is a coupon where the font lacks the script of the title', async () => {
    const [one, other] = [
      { ...CARD, title: '两杯咖啡', untitled: 'A coupon on ClipSwap' },
      { ...CARD, title: 'A coupon on ClipSwap' },
    ];
    expect((await drawCard(one)).equals(await drawCard(other))).toBe(true);
  });

  it('draws markup in a title as text', async () => {
    const { format } = await sharp(await drawCard({ ...CARD, title: '</path><script>&"' })).metadata();
    expect(format).toBe('png');
  });
});

describe('lettering', () => {
  it('needs no font of the machine: it consists of paths', () => {
    expect(write('Bread – Đà Lạt, Łódź', 40).path).toMatch(/^[MLQCZ0-9. -]+$/);
    expect(write('Bread', 80).width).toBeCloseTo(write('Bread', 40).width * 2);
  });

  it('breaks a text into lines that fit, and shortens what is left', () => {
    const given = { size: 40, width: 300, lines: 3 };
    const long = writeLines('one two three four five six seven eight nine ten eleven twelve', given);
    expect(long).toHaveLength(3);
    for (const { width } of [...long, ...writeLines('x'.repeat(300), given)])
      expect(width).toBeLessThanOrEqual(300);
    expect(writeLines('one two', given)).toEqual([write('one two', 40)]);
    expect(writeLines('', given)).toEqual([]);
  });

  it('leaves out what the font lacks', () => {
    expect(write('a中b', 40)).toEqual({ ...write('ab', 40), path: expect.any(String) });
    expect([canWrite('Bread'), canWrite('两杯咖啡'), canWrite('')]).toEqual([true, false, false]);
  });
});
