import { expect, it } from 'vitest';
import { logDate } from './transaction-logs-list.tsx';

/** spec/2 section 2. */
it.each([
  [null, 'Date not available'],
  ['', 'Date not available'],
  ['yesterday or so', 'Invalid date'],
  ['2026-11-21T09:41:00Z', expect.stringMatching(/^Nov 2\d, 2026, \d+:41\s[AP]M$/)],
])('%s reads %s', (instant, text) => {
  expect(logDate(instant)).toEqual(text);
});
