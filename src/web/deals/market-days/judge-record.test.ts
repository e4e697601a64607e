import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { judgeRecord } from './judge-record.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

const SEED = 'ab'.repeat(32);
const text = JSON.stringify({ day: '2026-11-29', seed: SEED, rounds: [] });
const announced = { day: '2026-11-29', commitment: hashOf(SEED), hash: hashOf(text) };
const OTHER = hashOf('something else');

describe('what is published of a market day', () => {
  it('is right as it was announced', async () => {
    expect(await judgeRecord(text, announced)).toEqual({ faults: [], wishes: 0, rounds: 0 });
  });

  it.each([
    ['a changed text', { hash: OTHER }, 'It is not what was announced of this day.'],
    ['no announced text', { hash: null }, 'It is not what was announced of this day.'],
    ['another seed', { commitment: OTHER }, 'Its seed is not the one that was chosen the day before.'],
    ['another day', { day: '2026-11-30' }, 'It is of another day.'],
  ])('is refused with %s', async (_, given, fault) => {
    expect((await judgeRecord(text, { ...announced, ...given })).faults).toEqual([fault]);
  });
});
