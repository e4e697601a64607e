import { expect, it } from 'vitest';
import { createShares, type Shares } from './shares.ts';

/** Takes places until there is none for the address. @returns how many it got */
function crowd(shares: Shares, ip: string): number {
  let got = 0;
  while (shares.take(ip)) got += 1;
  return got;
}

it('gives one address a fifth, and what it frees to whoever comes next', () => {
  const shares = createShares(200);
  expect(crowd(shares, '203.0.113.1')).toBe(40);
  expect(crowd(shares, '203.0.113.2')).toBe(32);
  for (let place = 0; place < 40; place += 1) shares.leave('203.0.113.1');
  expect(crowd(shares, '203.0.113.1')).toBeGreaterThan(32);
});

it('has a place for the next address while fifty take what they can', () => {
  const shares = createShares(200);
  for (let round = 0; round < 200; round += 1) {
    for (let address = 1; address <= 50; address += 1) shares.take(`203.0.113.${address}`);
  }
  expect(shares.take('198.51.100.1')).toBe(true);
});

it('counts work that takes many places as so much', () => {
  const shares = createShares(200);
  const files = Array.from({ length: 10 }, () => shares.take('203.0.113.1', 12.5));
  expect(files.filter(Boolean)).toHaveLength(4);
  expect(shares.take('203.0.113.1')).toBe(false);
  for (let file = 0; file < 4; file += 1) shares.leave('203.0.113.1', 12.5);
  expect(crowd(shares, '203.0.113.1')).toBe(40);
});

it('refuses everybody when no place is left', () => {
  const shares = createShares(3);
  for (const ip of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) expect(shares.take(ip)).toBe(true);
  expect(shares.take('203.0.113.4')).toBe(false);
  shares.leave('203.0.113.1');
  expect(shares.take('203.0.113.4')).toBe(true);
});

it('gives no address more than the most', () => {
  expect(crowd(createShares(Number.POSITIVE_INFINITY, 500), '203.0.113.1')).toBe(500);
});

it.each([
  ['/64s of one /56', (at: number) => `2001:db8:1:${(0x200 + (at % 256)).toString(16)}::1`, 80],
  ['/56s of one /48', (at: number) => `2001:db8:1:${(at * 256).toString(16)}::1`, 100],
])('gives many %s together little more than one', (_networks, addressOf, most) => {
  const shares = createShares(200);
  let got = 0;
  for (let at = 0; at < 2_000; at += 1) if (shares.take(addressOf(at % 256))) got += 1;
  expect(got).toBeGreaterThan(40);
  expect(got).toBeLessThanOrEqual(most);
  expect(shares.take('2001:db8:2::1')).toBe(true);
});
