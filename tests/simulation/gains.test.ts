import { expect, it } from 'vitest';
import { bestGroup, type Flow } from './gains.ts';

const flow = (from: number, to: number | null, paid: number, got: number): Flow => ({ from, to, paid, got });

it.each([
  ['an honest sale', [flow(1, 2, 1_050, 950)], null],
  ['a sale that is undone', [flow(1, 2, 0, 0)], null],
  ['a buyer whose money is back while the seller has kept theirs', [flow(1, 2, 0, 950)], [[2], 950]],
  [
    'the same after an honest sale to another one',
    [flow(1, 2, 0, 950), flow(3, 2, 5_250, 4_750)],
    [[2], 950],
  ],
  ['a refund of more than was paid', [flow(1, 2, -300, 0)], [[1], 300]],
  ['two who gain by the same', [flow(1, 2, -300, 950)], [[2], 1_250]],
  ['two who gain a little by each other', [flow(1, 2, 100, 300), flow(2, 1, 100, 200)], [[1, 2], 300]],
  ['a deposit that another one got', [flow(1, 2, 500, 500)], null],
  ['a deposit that nobody got', [flow(1, null, 500, 0)], null],
])('%s', (_what, flows, best) => {
  const found = bestGroup(flows);
  expect(found && [found.people, found.gain]).toEqual(best);
});
