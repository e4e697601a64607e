import { describe, expect, it } from 'vitest';
import { instantOf, isLocked, nextHour } from './hours.ts';

describe('the hour of market day', () => {
  it.each([
    ['2026-11-30', 20, 'UTC', '2026-11-30T20:00:00.000Z'],
    ['2026-11-30', 20, 'America/Vancouver', '2026-12-01T04:00:00.000Z'],
    ['2026-07-01', 20, 'America/Vancouver', '2026-07-02T03:00:00.000Z'],
    ['2026-11-30', 1, 'Asia/Kolkata', '2026-11-29T19:30:00.000Z'],
    // Clocks are put forward from 2 to 3, and back from 3 to 2.
    ['2026-03-29', 2, 'Europe/Paris', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25', 20, 'Europe/Paris', '2026-10-25T19:00:00.000Z'],
  ])('on %s at %i in %s is %s', (day, hour, timeZone, instant) => {
    expect(instantOf(day, { hour, timeZone }).toISOString()).toBe(instant);
  });

  it.each([
    ['2026-11-30T19:59:59Z', 'UTC', '2026-11-30', '2026-11-30T20:00:00.000Z'],
    ['2026-11-30T20:00:00Z', 'UTC', '2026-12-01', '2026-12-01T20:00:00.000Z'],
    ['2026-12-01T03:00:00Z', 'America/Vancouver', '2026-11-30', '2026-12-01T04:00:00.000Z'],
    ['2026-11-30T12:00:00Z', 'Pacific/Auckland', '2026-12-01', '2026-12-01T07:00:00.000Z'],
  ])('after %s in %s is on %s', (now, timeZone, day, at) => {
    const next = nextHour(new Date(now), { hour: 20, timeZone });
    expect({ ...next, at: next.at.toISOString() }).toMatchObject({ day, at });
    expect(next.at.getTime() - next.locksAt.getTime()).toBe(30 * 60_000);
  });

  it('locks for its last half hour what was agreed to before', () => {
    const at = new Date('2026-11-30T20:00:00Z');
    const locked = (agreedAt: string, now: string) =>
      isLocked({ at }, { agreedAt: new Date(agreedAt), now: new Date(now) });
    expect(locked('2026-11-30T10:00:00Z', '2026-11-30T19:29:59Z')).toBe(false);
    expect(locked('2026-11-30T10:00:00Z', '2026-11-30T19:30:00Z')).toBe(true);
    expect(locked('2026-11-30T19:40:00Z', '2026-11-30T19:50:00Z')).toBe(false);
  });
});
