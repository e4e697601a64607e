import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { killWhenHanging } from './workers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A worker that answers the pings for which `answers` holds, counted from 1. */
function watched(answers: (ping: number) => boolean) {
  let pings = 0;
  const kill = vi.fn();
  const onHang = vi.fn();
  const worker: EventEmitter = Object.assign(new EventEmitter(), {
    process: { kill },
    isConnected: () => true,
    send: () => {
      pings += 1;
      if (answers(pings)) worker.emit('message', 'pong');
    },
  });
  killWhenHanging(worker as Worker, onHang);
  return { worker, kill, onHang, pings: () => pings };
}

it('kills a worker that has stopped to answer, once', () => {
  const { kill, onHang } = watched((ping) => ping <= 3);
  vi.advanceTimersByTime(120_000);
  expect(kill).not.toHaveBeenCalled();
  vi.advanceTimersByTime(600_000);
  expect(kill.mock.calls).toEqual([['SIGKILL']]);
  expect(onHang).toHaveBeenCalledOnce();
});

it('leaves a worker alone that answers rarely, and one that has ended', () => {
  const slow = watched((ping) => ping % 20 === 0);
  vi.advanceTimersByTime(3_600_000);
  expect(slow.kill).not.toHaveBeenCalled();
  slow.worker.emit('exit');
  const before = slow.pings();
  vi.advanceTimersByTime(600_000);
  expect(slow.pings()).toBe(before);
  expect(slow.kill).not.toHaveBeenCalled();
});
