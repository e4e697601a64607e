import { expect, it } from 'vitest';
import { listedTogether } from './listed-together.ts';

/** 'a0 a5 b9': by a at once, by a 5 minutes before, by b 9 minutes before. */
const listed = (text: string) =>
  text.split(' ').flatMap((name) => {
    const minutes = Number(name.slice(1));
    const createdAt = new Date(Date.UTC(2026, 10, 21, 12) - minutes * 60_000).toISOString();
    return name ? [{ name, ownerId: name.charCodeAt(0), createdAt }] : [];
  });

it.each([
  ['', ''],
  ['a0', 'a0'],
  ['a0 a0', 'a0 a0'],
  ['a0 a0 a0', 'a0+2'],
  ['a0 a1 a2 a3 a4 a5', 'a0+5'],
  // Each within ten minutes of the one before it.
  ['a0 a9 a18', 'a0+2'],
  ['a0 a9 a20', 'a0 a9 a20'],
  ['a0 a10 a20 a31', 'a0+2 a31'],
  ['a0 b0 a0 b0 a0', 'a0 b0 a0 b0 a0'],
  ['b0 a1 a1 a1 b1', 'b0 a1+2 b1'],
  ['a0 a0 a0 b1 b1 b1', 'a0+2 b1+2'],
] as const)('“%s” is shown as “%s”', (given, shown) => {
  const listings = listedTogether(listed(given));
  const text = listings.map(({ coupon, more }) => coupon.name + (more.length > 0 ? `+${more.length}` : ''));
  expect(text.join(' ')).toBe(shown);
  expect(listings.flatMap(({ coupon, more }) => [coupon, ...more])).toEqual(listed(given));
});
