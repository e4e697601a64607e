import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shareLine } from './live-share.ts';

/** Locks like a browser's: whoever asks first has it until they are done, then the next one. */
function createLocks(): Pick<LockManager, 'request'> {
  const queues = new Map<string, Promise<unknown>>();
  async function request(name: string, { signal }: LockOptions, work: () => Promise<unknown>) {
    const turn = queues.get(name) ?? Promise.resolve();
    const done = turn.then(() => (signal?.aborted ? undefined : work()));
    queues.set(name, done);
    await done;
  }
  return { request } as Pick<LockManager, 'request'>;
}

interface Tab {
  readonly told: string[];
  /** Whether this tab has a line. */
  hasLine: boolean;
  /** What the server says on this tab's line. */
  say: (event: string) => void;
  readonly leave: () => void;
}

const tabs: Tab[] = [];

function openTab(name: string): Tab {
  const told: string[] = [];
  const tab = { told, hasLine: false, say: (_event: string) => {}, leave: () => {} };
  tab.leave = shareLine<string>({
    name,
    keep: (onEvent) => {
      tab.hasLine = true;
      tab.say = onEvent;
      return () => {
        tab.hasLine = false;
      };
    },
    onEvent: (event) => told.push(event),
    parse: (passed) => (typeof passed === 'string' ? passed : null),
  });
  tabs.push(tab);
  return tab;
}

beforeEach(() => vi.stubGlobal('navigator', { locks: createLocks() }));
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.leave();
  vi.unstubAllGlobals();
});

describe('tabs of one person', () => {
  it('share one line, and each is told once', async () => {
    const [first, second, third] = [openTab('ana'), openTab('ana'), openTab('ana')];
    await waitFor(() => expect(first.hasLine).toBe(true));
    expect([second.hasLine, third.hasLine]).toEqual([false, false]);
    first.say('news');
    await waitFor(() => expect(third.told).toEqual(['news']));
    expect([first.told, second.told]).toEqual([['news'], ['news']]);
  });

  it('take the line over when the one that has it is closed', async () => {
    const [first, second, third] = [openTab('ana'), openTab('ana'), openTab('ana')];
    await waitFor(() => expect(first.hasLine).toBe(true));
    first.leave();
    await waitFor(() => expect(second.hasLine).toBe(true));
    expect(first.hasLine).toBe(false);
    second.say('more news');
    await waitFor(() => expect(third.told).toEqual(['more news']));
    expect(first.told).toEqual([]);
  });

  it('that leave while they wait never get it', async () => {
    const [first, second, third] = [openTab('ana'), openTab('ana'), openTab('ana')];
    await waitFor(() => expect(first.hasLine).toBe(true));
    second.leave();
    first.leave();
    await waitFor(() => expect(third.hasLine).toBe(true));
    expect(second.hasLine).toBe(false);
  });

  it('pay no attention to what they cannot read', async () => {
    const tab = openTab('ana');
    const stranger = new BroadcastChannel('ana');
    stranger.postMessage({ kind: 7 });
    stranger.postMessage('readable');
    await waitFor(() => expect(tab.told).toEqual(['readable']));
    stranger.close();
  });
});

it('tabs of two people have a line each', async () => {
  const [ana, ben] = [openTab('ana'), openTab('ben')];
  await waitFor(() => expect([ana.hasLine, ben.hasLine]).toEqual([true, true]));
  ana.say('for ana');
  expect(ben.told).toEqual([]);
});

it('where the browser has no locks, each tab has a line of its own', () => {
  vi.stubGlobal('navigator', {});
  const [first, second] = [openTab('ana'), openTab('ana')];
  expect([first.hasLine, second.hasLine]).toEqual([true, true]);
  first.say('news');
  expect([first.told, second.told]).toEqual([['news'], []]);
  first.leave();
  expect(first.hasLine).toBe(false);
});
