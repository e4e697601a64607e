import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { type Act, type Aimed, type Answer, admit, foresee, type Step } from '../market/acts/act.ts';
import { copyState, type Deal, openState, type State } from '../market/state.ts';
import type { Stored } from '../market/stored.ts';
import type { Mix } from './choices.ts';
import type { Place, World } from './world.ts';

/** What has no order of its own, by the number of the coupon. */
const byCoupon = <Item extends { coupon: number }>(items: readonly Item[]) =>
  items.toSorted((one, other) => one.coupon - other.coupon);

/** A deal without its times and its payment, which may change between two calls. */
function termsOf(deal: Deal): object {
  if (deal.kind === 'bid') {
    const { createdAt: _, acceptedAt: _at, roundAt: _round, payment: _payment, ...terms } = deal;
    return terms;
  }
  const { createdAt: _, acceptedAt: _at, completedAt: _end, legs, prices, claims, deposits, ...terms } = deal;
  const said = claims.map(({ coupon, status, isAnswered }) => ({ coupon, status, isAnswered }));
  const there = deposits.map(({ at: _there, ...deposit }) => deposit);
  return {
    ...terms,
    deposits: there,
    legs: byCoupon(legs),
    prices: byCoupon(prices),
    claims: byCoupon(said),
  };
}

/** What the model says and what is stored, as far as both must be the same. */
const comparable = ({ people, coupons, deals }: Stored): Record<string, Map<number, object>> => ({
  people: new Map(people.map(({ stops: _, ...person }, who) => [who, person])),
  coupons: new Map([...coupons].map(([id, { code: _, cameBy: _by, ...coupon }]) => [id, coupon])),
  deals: new Map([...deals].map(([id, deal]) => [id, termsOf(deal)])),
});

/** What differs, for people to read. */
function differences(model: Stored, stored: Stored): string[] {
  const [left, right] = [comparable(model), comparable(stored)];
  return Object.entries(left).flatMap(([kind, expected]) => {
    const found = right[kind];
    return [...new Set([...expected.keys(), ...(found?.keys() ?? [])])]
      .filter((id) => !isDeepStrictEqual(expected.get(id), found?.get(id)))
      .map(
        (id) =>
          `${kind} ${id}: model ${JSON.stringify(expected.get(id))}, stored ${JSON.stringify(found?.get(id))}`,
      );
  });
}

/** A call with its answer, and the steps that the model has still to make. */
interface Track {
  readonly steps: readonly Step[];
  readonly answer: Answer;
}

/** Makes one step. @returns what is left; null if the answer is another */
function advance(state: State, { steps, answer }: Track): Track | null {
  const [step, ...rest] = steps;
  if (!step) throw new Error('Every call ends with an answer');
  const said = step(state);
  if (said === undefined) return { steps: rest, answer };
  return said === answer ? { steps: [], answer } : null;
}

/**
 * Looks for an order of the calls' transactions that gives these answers and what is stored now.
 * @returns the model afterwards; null if there is no such order
 */
function explain(state: State, tracks: readonly Track[], stored: Stored): State | null {
  const open = tracks.filter(({ steps }) => steps.length > 0);
  if (open.length === 0) return isDeepStrictEqual(comparable(state), comparable(stored)) ? state : null;
  for (const [index, track] of open.entries()) {
    const next = copyState(state);
    const left = advance(next, track);
    const found = left && explain(next, open.with(index, left), stored);
    if (found) return found;
  }
  return null;
}

/** The ways in which a call may have gone: by its steps or, where that is allowed, refused without effect. */
function tracksOf(aimed: readonly Aimed[], answers: readonly Answer[]): Track[][] {
  const isAboutPeople = aimed.some((call) => call.isAboutPeople);
  let ways: Track[][] = [[]];
  for (const [index, call] of aimed.entries()) {
    const answer = answers[index] ?? 'ok';
    const atTheDoor: Step = (state) => admit(state, call);
    const [first, ...rest] = call.steps;
    const inOne: Step = (state) => atTheDoor(state) ?? first?.(state);
    const steps = isAboutPeople ? [atTheDoor, ...call.steps] : [inOne, ...rest];
    const isSpared = aimed.length > 1 && call.mayAlso?.includes(answer);
    ways = ways.flatMap((way) => [[...way, { steps, answer }], ...(isSpared ? [way] : [])]);
  }
  return ways;
}

/** The model and what has happened so far, for people. */
interface Run {
  state: State;
  /** The number of the next act. */
  next: number;
  readonly story: string[];
}

interface Counts {
  acts: number;
  readonly answers: Record<string, number>;
}

/** @param details what differs from the model: for calls at once, from the model before them */
function fail(run: Run, problem: string, details: readonly unknown[]): never {
  const differing = details.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  throw new Error([`${problem}:`, ...run.story, ...differing].join('\n  '));
}

/** Makes these acts at once and finds an order of them that explains the answers and what is stored afterwards. */
async function perform(acts: readonly Act[], run: Run, world: World, counts: Counts): Promise<void> {
  const aimed: Aimed[] = [];
  for (const one of acts) {
    const call = one.aim(run.state, run.next);
    run.next += 1;
    const isTwice = call.pays !== undefined && aimed.some(({ pays }) => pays === call.pays);
    if (!isTwice) aimed.push(call);
  }
  const answers = await Promise.all(
    aimed.map(({ who, call }) => world.callAs<Answer>(who, (caller) => call(world, caller))),
  );
  const stored = await world.read();
  for (const [index, { text }] of aimed.entries()) {
    const answer = answers[index] ?? 'ok';
    const mark = aimed.length > 1 ? (index === 0 ? '┌ ' : '│ ') : '';
    run.story.push(`${mark}${text} → ${answer}`);
    counts.acts += 1;
    counts.answers[answer] = (counts.answers[answer] ?? 0) + 1;
  }
  for (const tracks of tracksOf(aimed, answers)) {
    const after = explain(run.state, tracks, stored);
    if (after) {
      run.state = after;
      return;
    }
  }
  const alone = copyState(run.state);
  const [only, ...others] = aimed;
  const isAlone = only !== undefined && others.length === 0;
  const problem = isAlone ? `The model says ${foresee(alone, only)}` : 'No order of these calls explains it';
  fail(run, problem, differences(alone, stored));
}

class Command implements fc.AsyncCommand<Run, World> {
  readonly #acts: readonly Act[];
  readonly #counts: Counts;
  constructor(acts: readonly Act[], counts: Counts) {
    this.#acts = acts;
    this.#counts = counts;
  }
  check = () => true;
  run = (run: Run, world: World) => perform(this.#acts, run, world, this.#counts);
  toString = () => (this.#acts.length === 1 ? String(this.#acts[0]) : `at once[${this.#acts.join(' | ')}]`);
}

/** What must hold after every run, whatever was done. */
async function checkEnd(run: Run, world: World): Promise<void> {
  const stored = await world.read();
  for (const [id, deal] of run.state.deals) {
    if (deal.kind !== 'bid') {
      const isPaid = deal.status === 'completed' && deal.prices.length > 0;
      if (isPaid) world.note(deal.kind === 'ring' ? 'paidRings' : 'paidSwaps');
      continue;
    }
    const found = stored.deals.get(id);
    const state = found?.kind === 'bid' && found.payment ? found.payment.state : null;
    if (state !== (deal.payment?.state ?? null)) fail(run, `The payment of bid ${id} is ${state}`, [deal]);
  }
  const broken = await world.market.broken();
  if (broken.length > 0) fail(run, 'Rules of the data are broken', broken);
}

/** In one run, at most. */
const COMMANDS = 80;

/** A property: whatever people do, alone or at once, the marketplace does as the model says. */
export function obeysTheModel(place: Place, given: Mix) {
  const counts: Counts = { acts: 0, answers: {} };
  const crowd = fc.array(given.atOnce, { minLength: 2, maxLength: 4 });
  const one = given.alone.map((single) => new Command([single], counts));
  const many = crowd.map((acts) => new Command(acts, counts));
  const commands = fc.commands([fc.oneof({ weight: 3, arbitrary: one }, { weight: 1, arbitrary: many })], {
    maxCommands: COMMANDS,
    size: 'max',
  });
  const property = fc.asyncProperty(commands, async (chosen) => {
    const world = await place.open();
    const run: Run = { state: openState(place.market.ctx.clock().getTime()), next: 1, story: [] };
    await perform(given.opening, run, world, counts);
    await fc.asyncModelRun(() => ({ model: run, real: world }), chosen);
    await checkEnd(run, world);
  });
  return { property, counts };
}
