import { expect, it } from 'vitest';
import { addHours } from '#server/core/clock.ts';
import { findingOf, winnerBy } from './redemptions.ts';

const HANDED_OVER = new Date('2026-11-01T12:00:00Z');
const hour = (hours: number) => addHours(HANDED_OVER, hours);

/** The code is shown to whoever claims ten hours after the coupon came. */
it.each([
  ['never used and valid', 0, [], true, 'works', 'giver'],
  ['never used and refused', 0, [], false, 'refused', null],
  ['used before the coupon came', 1, [-2], false, 'redeemed_before', 'claimant'],
  ['used before, and it still works', 1, [-2], true, 'unclear', null],
  ['used within the hour before it came', 1, [-0.9], false, 'unclear', null],
  ['used exactly an hour before it came', 1, [-1], false, 'unclear', null],
  ['used when it had come, before it was shown', 1, [5], false, 'unclear', null],
  ['used within the hour after it was shown', 1, [10.9], false, 'unclear', null],
  ['used exactly an hour after it was shown', 1, [11], false, 'unclear', null],
  ['used after it was shown', 1, [11.1], false, 'redeemed_after', 'giver'],
  ['used after it was shown, and it still works', 1, [11.1], true, 'redeemed_after', 'giver'],
  ['used twice before the coupon came', 2, [-3, -2], false, 'redeemed_before', 'claimant'],
  ['used before the coupon came, and after it was shown', 2, [-2, 20], false, 'unclear', null],
  ['used, nobody tells when', 1, [], false, 'unclear', null],
  ['used twice, and one time is told', 2, [-2], false, 'unclear', null],
] as const)('a code that was %s', (_, count, hours, isValid, kind, winner) => {
  const told = hours.map((at) => ({ at: hour(at), place: `Shop ${at}` }));
  const exposed = { handedOverAt: HANDED_OVER, shownAt: hour(10) };
  const finding = findingOf({ count, told }, isValid, exposed);
  const first = told[0] ?? null;
  const compared = { redeemed_before: HANDED_OVER, redeemed_after: hour(10) };
  expect(finding).toEqual({
    kind,
    redeemedAt: first?.at ?? null,
    place: first?.place ?? null,
    comparedAt: kind in compared ? compared[kind as keyof typeof compared] : null,
  });
  expect(winnerBy(finding.kind)).toBe(winner);
});

it('nobody has used a code after it was shown who was never shown it', () => {
  const exposed = { handedOverAt: HANDED_OVER, shownAt: null };
  const redemptions = { count: 1, told: [{ at: hour(40), place: null }] };
  expect(findingOf(redemptions, false, exposed).kind).toBe('unclear');
});
