import { expect, it } from 'vitest';
import { addDays } from '#server/core/clock.ts';
import { type ClaimRecord, defaultFor, dueStep, type OpenClaim } from './defaults.ts';

const NEW: ClaimRecord = { wellWith: 0, failed: 0, declined: 0, defaults: 0 };
const record = (given: Partial<ClaimRecord>): ClaimRecord => ({ ...NEW, ...given });

it.each([
  ['two new people, no answer', {}, {}, false, 'claimant'],
  ['two new people, an answer', {}, {}, true, 'giver'],
  ['a giver who has dealt well, no answer', {}, { wellWith: 5 }, false, 'giver'],
  ['a claimant who has dealt well, an answer', { wellWith: 5 }, {}, true, 'claimant'],
  ['a giver with a failed code, an answer', {}, { failed: 1 }, true, 'claimant'],
  ['a giver with a failed code among many, an answer', {}, { wellWith: 20, failed: 1 }, true, 'giver'],
  // 90 and 80 percent.
  ['a claimant who is better by the margin, an answer', { wellWith: 8 }, { wellWith: 3 }, true, 'claimant'],
  ['a giver who is better by the margin, no answer', { wellWith: 3 }, { wellWith: 8 }, false, 'giver'],
  ['a giver who is hardly better, no answer', { wellWith: 7 }, { wellWith: 18 }, false, 'claimant'],
  ['a winner with a declined claim', { wellWith: 5, declined: 1 }, {}, true, null],
  ['a winner who has just won so', { wellWith: 5, defaults: 1 }, {}, true, null],
  ['a giver who wins, with a declined claim', {}, { wellWith: 5, declined: 1 }, true, null],
  ['a loser with a declined claim', { declined: 1, defaults: 1 }, { wellWith: 5 }, true, 'giver'],
] as const)('a claim of %s ends by the records', (_, claimant, giver, isAnswered, expected) => {
  expect(defaultFor(record(claimant), record(giver), isAnswered)).toBe(expected);
});

const CREATED = new Date('2026-11-01T12:00:00Z');
const day = (days: number) => addDays(CREATED, days);
const OPEN: OpenClaim = {
  ...{ createdAt: CREATED, answerBy: null, remindedAt: null, toldAdminsAt: null },
  ...{ defaultAt: null, appealedAt: null, isDisputed: false },
};
const reminded = { remindedAt: day(3) };
const announced = { ...reminded, toldAdminsAt: day(5), defaultAt: day(7) };
const undecidable = { ...reminded, toldAdminsAt: day(5) };
const appealed = { ...announced, toldAdminsAt: null, appealedAt: day(6) };

it.each<[string, Partial<OpenClaim>, number, ReturnType<typeof dueStep>]>([
  ['young', {}, 2.9, null],
  ['three days old', {}, 3, 'remind'],
  ['reminded of', reminded, 4.9, null],
  ['five days old', reminded, 5, 'announce'],
  ['five days old, and nobody was reminded', {}, 5, 'announce'],
  ['that waits for the answer', { answerBy: day(5.1) }, 5, null],
  ['whose time to answer is over', { answerBy: day(5) }, 5, 'announce'],
  ['about a disputed payment', { isDisputed: true }, 9, null],
  ['announced', announced, 6.9, null],
  ['whose announced end has come', announced, 7, 'end'],
  ['whose announced end meets a dispute', { ...announced, isDisputed: true }, 7, null],
  ['whose end was appealed', appealed, 6, 'tell'],
  ['that admins have just been told of', { ...appealed, toldAdminsAt: day(6) }, 6.9, null],
  ['that admins were told of a day ago', { ...appealed, toldAdminsAt: day(6) }, 7, 'tell'],
  ['that cannot end by itself', undecidable, 5.9, null],
  ['that cannot end by itself, a day later', undecidable, 6, 'tell'],
])('a claim %s has its next step', (_, over, days, expected) => {
  expect(dueStep({ ...OPEN, ...over }, 5, day(days))).toBe(expected);
});
