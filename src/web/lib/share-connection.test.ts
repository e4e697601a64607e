import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shareConnection } from './share-connection.ts';

/** Locks like a browser's: granted in the order of requests. */
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
  /** Whether this tab has the connection. */
  isConnected: boolean;
  /** Sends an event on this tab's connection. */
  say: (event: string) => void;
  readonly leave: () => void;
}

const tabs: Tab[] = [];

function openTab(name: string): Tab {
  const told: string[] = [];
  const tab = { told, isConnected: false, say: (_event: string) => {}, leave: () => {} };
  tab.leave = shareConnection<string>({
    name,
    keep: (onEvent) => {
      tab.isConnected = true;
      tab.say = onEvent;
      return () => {
        tab.isConnected = false;
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
});

describe('tabs of one person', () => {
  it('share one connection, and each gets every event once', async () => {
    const [first, second, third] = [openTab('ana'), openTab('ana'), openTab('ana')];
    await waitFor(() => expect(first.isConnected).toBe(true));
    expect([second.isConnected, third.isConnected]).toEqual([false, false]);
    first.say('news');
    await waitFor(() => expect(third.told).toEqual(['news']));
    expect([first.told, second.told]).toEqual([['news'], ['news']]);
  });

  it('take the connection over when its tab is closed', async () => {
    const [first, second, third] = [openTab('ana'), openTab('ana'), openTab('ana')];
    await waitFor(() => expect(first.isConnected).toBe(true));
    first.leave();
    await waitFor(() => expect(second.isConnected).toBe(true));
    expect(first.isConnected).toBe(false);
    second.say('more news');
    await waitFor(() => expect(third.told).toEqual(['more news']));
    expect(first.told).toEqual([]);
  });

  it('do not take it over after they have left', async () => {
    const [first, second, third] = [openTab('ana'), openTab('ana'), openTab('ana')];
    await waitFor(() => expect(first.isConnected).toBe(true));
    second.leave();
    first.leave();
    await waitFor(() => expect(third.isConnected).toBe(true));
    expect(second.isConnected).toBe(false);
  });

  it('ignore invalid messages', async () => {
    const tab = openTab('ana');
    const stranger = new BroadcastChannel('ana');
    stranger.postMessage({ kind: 7 });
    stranger.postMessage('readable');
    await waitFor(() => expect(tab.told).toEqual(['readable']));
    stranger.close();
  });
});

it('gives two people a connection each', async () => {
  const [ana, ben] = [openTab('ana'), openTab('ben')];
  await waitFor(() => expect([ana.isConnected, ben.isConnected]).toEqual([true, true]));
  ana.say('for ana');
  expect(ben.told).toEqual([]);
});

it('gives each tab its own connection if the browser has no locks', () => {
  vi.stubGlobal('navigator', {});
  const [first, second] = [openTab('ana'), openTab('ana')];
  expect([first.isConnected, second.isConnected]).toEqual([true, true]);
  first.say('news');
  expect([first.told, second.told]).toEqual([['news'], []]);
  first.leave();
  expect(first.isConnected).toBe(false);
});
