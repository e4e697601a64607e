import { expect, it } from 'vitest';
import { inTurn } from './costly-searches.ts';

it('runs two searches at once, lets thirty wait and refuses more; a place that gets free goes to the next', async () => {
  let running = 0;
  const ends: (() => void)[] = [];
  const search = () =>
    inTurn(async () => {
      running += 1;
      await new Promise<void>((end) => ends.push(end));
      return 'found';
    });
  const searches = Array.from({ length: 32 }, search);
  await expect(search()).rejects.toMatchObject({ code: 'unavailable', retryAfter: 2 });
  expect(running).toBe(2);
  while (running < 32 || ends.length > 0) {
    ends.shift()?.();
    await new Promise(setImmediate);
  }
  expect(await Promise.all(searches)).toEqual(Array(32).fill('found'));
  const failing = inTurn(async () => {
    throw new Error('it fails');
  });
  await expect(failing).rejects.toThrow('it fails');
});
