import { expect, it } from 'vitest';
import { expiryBadge } from './status-badge.tsx';

/** spec/1 section 4, decisions 2.3. The evening of the 21st, UTC. */
const now = new Date('2026-11-21T21:00:00Z');

it.each([
  [null, 'success', 'No expiry'],
  ['2026-11-20', 'danger', 'Expired'],
  ['2026-11-21', 'danger', '1 days left'],
  ['2026-11-27', 'danger', '7 days left'],
  ['2026-11-28', 'warning', '8 days left'],
  ['2026-12-20', 'warning', '30 days left'],
  ['2026-12-21', 'neutral', '31 days left'],
])('a coupon good to %s is marked %s: %s', (day, tone, text) => {
  expect(expiryBadge(day, now)).toEqual({ tone, text });
});
