import { beforeEach, expect, it, vi } from 'vitest';
import type { LiveEvent } from '#contract/base/live.ts';
import { pollOnDemand } from './polling.ts';

beforeEach(() => void vi.useFakeTimers());

it('refetches from time to time after "polling", until the server says "resync"', () => {
  const told: LiveEvent['kind'][] = [];
  const polled = pollOnDemand(({ kind }) => told.push(kind));
  polled.onEvent({ kind: 'polling' });
  polled.onEvent({ kind: 'polling' });
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual(['polling', 'polling', 'resync', 'resync', 'resync']);
  // Of one process, while others are not heard.
  polled.onEvent({ kind: 'notification' });
  vi.advanceTimersByTime(20_000);
  expect(told.slice(5)).toEqual(['notification', 'resync']);
  polled.onEvent({ kind: 'resync' });
  vi.advanceTimersByTime(60_000);
  expect(told).toHaveLength(8);
});

it('stops when the connection is closed for good', () => {
  const told: LiveEvent['kind'][] = [];
  const polled = pollOnDemand(({ kind }) => told.push(kind));
  polled.onEvent({ kind: 'polling' });
  polled.stop();
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual(['polling']);
});
