import { expect, it } from 'vitest';
import { callerOf, enforceLimit, type RateLimiter, unlimited } from './rate-limit.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s counts as %s', (ip, caller) => {
  expect(callerOf(ip)).toBe(caller);
});

it('refuses with the time to wait', async () => {
  const limiter: RateLimiter = { ...unlimited, consume: async () => 61 };
  await expect(enforceLimit(limiter, { name: 'test', points: 1, seconds: 60 }, 'key')).rejects.toMatchObject({
    code: 'rate_limited',
    message: 'Too many tries. Please try again in 2 minutes.',
    retryAfter: 61,
  });
});
