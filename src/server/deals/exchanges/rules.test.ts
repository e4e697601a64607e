import { describe, expect, it } from 'vitest';
import { isRing, sideOf, transitionOf } from './rules.ts';

describe('an exchange', () => {
  it('has an author, others with the role of the owner, and strangers', () => {
    const exchange = { requesterId: 1, parties: [{ id: 1 }, { id: 2 }, { id: 3 }] };
    expect([1, 2, 3, 4].map((id) => sideOf(exchange, id))).toEqual(['requester', 'owner', 'owner', null]);
    expect(sideOf({ ...exchange, parties: [{ id: 2 }] }, 1)).toBeNull();
  });

  it.each([
    ['pending', 'accepted', 'accept'],
    ['pending', 'rejected', 'reject'],
    ['accepted', 'completed', 'complete'],
    ['pending', 'cancelled', 'withdraw'],
    ['accepted', 'cancelled', 'cancel'],
  ] as const)('that goes from %s to %s is a %s', (from, to, transition) => {
    expect(transitionOf(from, to)).toBe(transition);
  });
});

/** Legs from givers to receivers: '1>2' gives coupon 1 from person 1 to person 2. */
const legs = (...gives: readonly string[]) =>
  gives.map((give) => {
    const [giverId = 0, receiverId = 0, couponId = giverId] = give.split('>').map(Number);
    return { giverId, receiverId, couponId };
  });

describe('a ring', () => {
  it.each([
    ['three people', ['1>2', '2>3', '3>1'], true],
    ['three people, in any order', ['2>3', '1>2', '3>1'], true],
    ['four people', ['1>2', '2>3', '3>4', '4>1'], true],
    ['two people', ['1>2', '2>1'], true],
    ['nobody', [], false],
    ['people who are not in a circle', ['1>2', '2>3', '3>2'], false],
    ['somebody who gives to nobody in it', ['1>2', '2>3', '3>4'], false],
    ['two circles', ['1>2', '2>1', '3>4', '4>3'], false],
    ['somebody who gives twice', ['1>2', '2>3', '3>1', '1>2>9'], false],
    ['one coupon that two people give', ['1>2>7', '2>3>8', '3>1>7'], false],
  ])('of %s', (_, gives, expected) => {
    expect(isRing(legs(...gives))).toBe(expected);
  });
});
