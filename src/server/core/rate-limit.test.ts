import { expect, it } from 'vitest';
import {
  addressKey,
  enforceLimit,
  enforceWait,
  networksOf,
  type RateLimiter,
  siteKey,
  unlimited,
} from './rate-limit.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8::3:4:5:6:7', '2001:db8:0:3::/64'],
  ['::ffff:203.10.113.77', '203.10.113.77'],
  ['1::ffff:203.0.113.7', '1:0:0:0::/64'],
  ['::ffff:203.0.113.7.example', '::ffff:203.0.113.7.example'],
])('%s counts as %s', (ip, key) => {
  expect(addressKey(ip)).toBe(key);
});

it.each([
  ['203.0.113.7', ['203.0.113.7']],
  ['2001:db8:1:1234::9', ['2001:db8:1:1234::/64', '2001:db8:1:1200::/56', '2001:db8:1::/48']],
  ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48']],
])('%s belongs to %s', (ip, networks) => {
  expect(networksOf(ip)).toEqual(networks);
  expect(siteKey(ip)).toBe(networks.at(-1));
});

it.each([
  [1, undefined, 'Too many attempts. Please try again in 1 minute.'],
  [61, undefined, 'Too many attempts. Please try again in 2 minutes.'],
  [7_200, undefined, 'Too many attempts. Please try again in 2 hours.'],
  [7_201, 'Too many bids.', 'Too many bids. Please try again in 3 hours.'],
])('with %s seconds to wait, a refusal says how long', async (retryAfter, text, message) => {
  const wait = async () => retryAfter;
  const limiter: RateLimiter = { ...unlimited, consume: wait, waitFor: wait };
  const limit = { name: 'test', points: 1, seconds: 60, ...(text && { text: () => text }) };
  for (const enforce of [enforceLimit, enforceWait])
    await expect(enforce(limiter, limit, 'key')).rejects.toMatchObject({
      code: 'rate_limited',
      message,
      retryAfter,
    });
});

it('a program of the operator may do anything as often as it likes', async () => {
  const limit = { name: 'test', points: 0, seconds: 60 };
  const waits = [await unlimited.consume(limit, 'key'), await unlimited.waitFor(limit, 'key')];
  expect([...waits, unlimited.store()]).toEqual([0, 0, 'none']);
});
