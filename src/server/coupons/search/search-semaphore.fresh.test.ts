import { expect, it } from 'vitest';
import { withSemaphore } from './search-semaphore.ts';

const ended = () => new Promise(setImmediate);

/** Searches from an address that run until `end` is called. */
function searcher(ip: string) {
  const ends: (() => void)[] = [];
  return {
    search: () =>
      withSemaphore(ip, async () => {
        await new Promise<void>((end) => ends.push(end));
        return 'found';
      }),
    running: () => ends.length,
    async end() {
      ends.shift()?.();
      await ended();
    },
  };
}

it('runs two searches of an address at once; others of it wait, and those of another address do not', async () => {
  const crowd = searcher('203.0.113.1');
  const other = searcher('203.0.113.2');
  const crowded = Array.from({ length: 10 }, () => crowd.search());
  await ended();
  expect(crowd.running()).toBe(2);

  // The other address does not wait for all of them.
  const mine = [other.search(), other.search()];
  await ended();
  expect([crowd.running(), other.running()]).toEqual([2, 1]);
  await other.end();
  expect([crowd.running(), other.running()]).toEqual([2, 1]);
  await other.end();
  expect(await Promise.all(mine)).toEqual(['found', 'found']);

  for (let at = 0; at < crowded.length; at += 1) await crowd.end();
  expect(await Promise.all(crowded)).toEqual(crowded.map(() => 'found'));
});

it('frees the place of a search that fails', async () => {
  const failing = withSemaphore('203.0.113.3', async () => {
    throw new Error('it fails');
  });
  await expect(failing).rejects.toThrow('it fails');
  expect(await withSemaphore('203.0.113.3', async () => 'found')).toBe('found');
});
