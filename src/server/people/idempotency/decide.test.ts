import { expect, it } from 'vitest';
import { type EarlierCall, keyUse } from './decide.ts';

const at = new Date('2026-11-30T12:00:00Z');
const earlier = (secondsAgo: number, given: Partial<EarlierCall> = {}): EarlierCall => ({
  ...{ callHash: 'same', isAnswered: false },
  createdAt: new Date(at.getTime() - secondsAgo * 1_000),
  ...given,
});

it.each([
  ['is repeated once it is answered', earlier(1, { isAnswered: true }), 'repeat'],
  ['is repeated for a day', earlier(86_399, { isAnswered: true }), 'repeat'],
  ['is done again after a day', earlier(86_400, { isAnswered: true }), 'again'],
  ['is done again after a day, whatever it was', earlier(86_400, { callHash: 'other' }), 'again'],
  ['is running for a minute', earlier(59), 'running'],
  ['is unknown without an answer after that', earlier(60), 'unknown'],
  ['is another one', earlier(1, { callHash: 'other', isAnswered: true }), 'other'],
  ['is another one, while the first one is running', earlier(1, { callHash: 'other' }), 'other'],
])('a call %s', (_what, before, use) => {
  expect(keyUse(before, 'same', at)).toBe(use);
});
