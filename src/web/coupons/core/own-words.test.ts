import { expect, it } from 'vitest';
import { ownWords } from './own-words.ts';

it.each([
  ['20% off at Owl Books.', false],
  ['20% off chez Owl Books.', false],
  ['20% OFF — OWL BOOKS', false],
  ['20% off', false],
  ['Owl Books: 20% off', false],
  ['', false],
  ['20% off at Owl Books on Mondays.', true],
  ['For members.', true],
])('of "%s" says more than its title: %s', (description, saysMore) => {
  expect(ownWords({ title: '20% off', merchant: 'Owl Books', description }) === description).toBe(saysMore);
});
