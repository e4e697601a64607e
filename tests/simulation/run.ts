import { inspect } from 'node:util';
import { addDays, addHours } from '#server/core/clock.ts';
import type { Caller } from '#server/rest/caller.ts';
import { ADMIN } from '../market/state.ts';
import {
  type Broken,
  checkBooks,
  checkCodes,
  checkDeadlines,
  checkEnd,
  checkLog,
  checkMails,
  checkRules,
  checkWhoMay,
} from './checks.ts';
import { chance, choose } from './choices.ts';
import { checkFindings } from './claims.ts';
import { checkAnswers, checkCreated, checkDone, checkHeld } from './effects.ts';
import { checkGains } from './gains.ts';
import { WORKS } from './jobs.ts';
import { type Odds, odds } from './odds.ts';
import { restoreSellers, settleOutside, takeMoney } from './outside.ts';
import { aim } from './people.ts';
import { contentsOf, look, type Sight } from './sight.ts';
import { comeUp } from './situations.ts';
import { openWorld, type World } from './world.ts';

/** What happens at once: people act, or the jobs run. */
interface Moment {
  readonly hour: number;
  /** Their names. */
  readonly acts: readonly string[];
}

export type Plan = readonly Moment[];

/** How many moments back people may be who act on what they have seen. */
const REMEMBERED = 3;
/** So many do not wait for connections. */
const TASKS_AT_ONCE = 20;
/** What is left over at the end is settled on these days after it, without people and faults. */
const LAST_DAYS = [1, 2, 3, 8, 11, 38, 39, 76, 77];
/** Where moderators do not decide, admins decide what is left after so many of them. */
const UNJUDGED_DAYS = 11;

/** When something is done. Another seed makes another plan. */
export function planOf(seed: number, days: number): Plan {
  const plan: Moment[] = [];
  const { paces, actsAtOnce } = odds(seed);
  for (let hour = 0; hour < 24 * days; hour += choose(chance(seed, 'pace', plan.length), paces)) {
    const moment = plan.length;
    // Something to trade comes first.
    const count = moment === 0 ? actsAtOnce : Math.floor(chance(seed, 'acts', moment) * (actsAtOnce + 1));
    plan.push({ hour, acts: Array.from({ length: count }, (_, act) => `${moment}.${act}`) });
  }
  return plan;
}

type Task = Parameters<World['moment']>[0][number];

/** Puts tasks into groups. Those of one group happen at once. */
function groupsOf({ seed }: World, tasks: readonly Task[]): Task[][] {
  const order = ({ name }: Task) => chance(seed, 'group', name);
  const sorted = tasks.toSorted((one, other) => order(one) - order(other));
  return Array.from({ length: Math.ceil(sorted.length / TASKS_AT_ONCE) }, (_, group) =>
    sorted.slice(group * TASKS_AT_ONCE, (group + 1) * TASKS_AT_ONCE),
  );
}

export interface Outcome {
  readonly broken: readonly Broken[];
  /** When it was found, in hours; null: nothing was. */
  readonly hour: number | null;
  /** What happened, step by step. */
  readonly history: readonly string[];
  /** What is stored at the end, without what is random. */
  readonly contents: string;
  /** Which situations have come up (situations.ts). */
  readonly situations: ReadonlySet<string>;
}

/** Webhooks that are to be delivered now, some of them twice. Those that wait come later, in any order. */
function deliveries({ seed, sandbox }: World, moment: string, part: number) {
  return [sandbox.stripe, sandbox.paypal].flatMap((provider, which) =>
    provider.waiting().flatMap((event, at) => {
      const name = `webhook ${moment}.${which}.${at}`;
      if (chance(seed, name, 'now') >= part) return [];
      // Where the program that answers dies, the provider sends it again.
      const deliver = () => provider.deliver(event).catch(() => 0);
      const twice = chance(seed, name, 'twice') < 0.2;
      return [{ name, work: deliver }, ...(twice ? [{ name: `${name} again`, work: deliver }] : [])];
    }),
  );
}

/** The jobs that are due: each once a day, at an hour of its own, and again when it could not be done. */
function createJobs(world: World) {
  const due = new Set<string>();
  /** The hours at which they run next. */
  const next = new Map(WORKS.map(({ name }) => [name, Math.floor(24 * chance(world.seed, 'hour', name))]));
  return (moment: string, hour: number) => {
    for (const [name, at] of next) {
      if (at > hour) continue;
      due.add(name);
      next.set(name, at + 24 * (Math.floor((hour - at) / 24) + 1));
    }
    return WORKS.filter(({ name }) => due.has(name)).flatMap(({ name, run }) => {
      const task = (own: string) => ({
        name: own,
        async work() {
          if (await world.runJob(own, run)) due.delete(name);
        },
      });
      // Now and then both programs do it at once.
      const isTwice = chance(world.seed, 'twice', name, moment) < 0.1;
      return [task(`${name} ${moment}`), ...(isTwice ? [task(`${name} ${moment} again`)] : [])];
    });
  };
}

/** The market was up all the time: nothing else has happened since the last moment. */
async function beat({ direct }: World): Promise<void> {
  await direct.db
    .insertInto('marketPulse')
    .values({ beatAt: direct.clock() })
    .onConflict((conflict) => conflict.column('isOnly').doUpdateSet({ beatAt: direct.clock() }))
    .execute();
}

/** The admin decides whatever waits for a decision. */
async function decideAll(world: World, day: string): Promise<void> {
  await world.signIn(ADMIN);
  const { claims } = await look(world);
  const note = 'So be it.';
  for (const { id, bidId } of claims.filter(({ status }) => status === 'open')) {
    const name = `decision ${id} ${day}`;
    const isForBuyer = !world.odds.isRight && chance(world.seed, 'decision', id) < 0.5;
    const call = (caller: Caller): Promise<unknown> =>
      bidId === null
        ? caller.claims.decide({ id, decision: isForBuyer ? 'upheld' : 'refused', note })
        : caller.payments.decideClaim({ id, decision: isForBuyer ? 'refund' : 'release', note });
    const work = () => world.callAs(ADMIN, name, call).catch(() => {});
    await world.moment([{ name, work }], { isFaulty: false });
  }
}

/** What holds whenever nobody is in the middle of something. */
const checkMoment = async (world: World, areJobsDone = false): Promise<Broken[]> => [
  ...(await checkRules(world, areJobsDone)),
  ...(await checkWhoMay(world)),
  ...(await checkHeld(world)),
  ...checkLog(world),
];

/** What costs more to ask, or is true at the end of a day alone. */
const checkDay = async (world: World): Promise<Broken[]> => [
  ...(await checkBooks(world)),
  ...(await checkDeadlines(world)),
  ...(await checkCodes(world)),
  ...(await checkDone(world)),
  ...(await checkCreated(world)),
  ...(await checkFindings(world)),
];

/**
 * Runs a plan to its end, or until a promise is broken. The same seed and plan give the same history.
 * @param odds of the seed, unless some are changed
 */
export async function simulate(given: {
  readonly seed: number;
  readonly plan: Plan;
  readonly odds: Odds;
}): Promise<Outcome> {
  const history: string[] = [];
  const world = await openWorld({ ...given, note: (line) => history.push(line) });
  const jobsAt = createJobs(world);
  const situations = new Set<string>();
  const noteSituations = async () => {
    for (const one of await comeUp(world, history)) situations.add(one);
  };
  const outcome = async (broken: readonly Broken[], hour: number | null): Promise<Outcome> => ({
    ...{ broken, hour, history, situations },
    contents: await contentsOf(world),
  });
  let hour = 0;
  let before: readonly Sight[] = [];
  try {
    for (const [index, moment] of given.plan.entries()) {
      ({ hour } = moment);
      world.setClock(addHours(world.start, hour));
      history.push(`== hour ${hour}`);
      await beat(world);
      for (const who of world.people.keys()) await world.signIn(who);
      const sight = await look(world);
      const acts = moment.acts.flatMap((one) => aim(world, [sight, ...before], one));
      before = [sight, ...before].slice(0, REMEMBERED);
      const tasks = [
        ...acts.map(({ name, work }) => ({
          name,
          work: async () => {
            const said = await work();
            history.push(`   ${name} → ${String(said)}`);
          },
        })),
        ...deliveries(world, String(index), given.odds.webhooks),
        ...jobsAt(String(index), hour),
      ];
      const failures = world.scheduler.faults();
      for (const group of groupsOf(world, tasks)) await world.moment(group, { isFaulty: true });
      const broken = await checkMoment(world);
      if (world.scheduler.faults() === failures) broken.push(...(await checkAnswers(world)));
      const isEvening = Math.floor((given.plan[index + 1]?.hour ?? 24 + hour) / 24) > Math.floor(hour / 24);
      if (isEvening) {
        await noteSituations();
        await settleOutside(world, String(index), given.odds.decided);
        if (chance(given.seed, 'restores', index) < 0.7) await restoreSellers(world);
        if (given.odds.isTaken) await takeMoney(world);
        // Later, mails of a month ago are forgotten.
        broken.push(...(await checkDay(world)), ...(hour < 24 * 28 ? await checkMails(world) : []));
      }
      if (broken.length > 0) return await outcome(broken, hour);
    }
    history.push('== the aftermath');
    await restoreSellers(world);
    const last = world.clock();
    const ending = hour;
    for (const day of LAST_DAYS) {
      hour = ending + 24 * day;
      world.setClock(addDays(last, day));
      await beat(world);
      await settleOutside(world, `after ${day}`, 1);
      if (given.odds.isTaken) await takeMoney(world);
      if (given.odds.isJudged || day > UNJUDGED_DAYS) await decideAll(world, `after ${day}`);
      await world.moment(deliveries(world, `after ${day}`, 1), { isFaulty: false });
      const jobs = jobsAt(`after ${day}`, hour + 24);
      const isMail = ({ name }: { readonly name: string }) => name.startsWith('mail ');
      const others = jobs.filter((job) => !isMail(job));
      for (const group of groupsOf(world, others)) await world.moment(group, { isFaulty: false });
      // Mails of these days, before many days pass; an hour later, as the clocks of two programs differ.
      world.setClock(addHours(world.clock(), 1));
      await world.moment(jobs.filter(isMail), { isFaulty: false });
      await noteSituations();
      const broken = await checkMoment(world, day > 1);
      if (broken.length > 0) return await outcome(broken, hour);
    }
    const broken = [...(await checkDay(world)), ...(await checkEnd(world)), ...(await checkGains(world))];
    return await outcome(broken, broken.length > 0 ? hour : null);
  } catch (error) {
    return await outcome([`the market has an error of its own: ${inspect(error)}`], hour);
  } finally {
    await world.close();
  }
}
