import { expect, it } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

const NOW = Date.parse('2035-06-15T12:00:00.500Z');

it.each([
  ['120', 120],
  [' 7 ', 7],
  ['0', 0],
  ['Fri, 15 Jun 2035 12:02:00 GMT', 120],
  ['Friday, 15-Jun-35 12:02:00 GMT', 120],
  ['Fri, 15 Jun 2035 11:00:00 GMT', 0],
  ['86401', 86_400],
  ['9'.repeat(400), 86_400],
  ['Sun, 17 Jun 2035 12:00:00 GMT', 86_400],
  ['Fri, 99 Jun 2035 12:00:00 GMT', null],
  ['-5', null],
  ['1.5', null],
  ['2035-06-15', null],
  ['soon', null],
  ['', null],
  [null, null],
  [undefined, null],
])('reads %j as %j seconds', (text, seconds) => {
  expect(readRetryAfter(text, NOW)).toBe(seconds);
});
