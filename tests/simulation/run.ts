import { inspect } from 'node:util';
import { addDays, addHours } from '#server/core/clock.ts';
import { ADMIN, CAST } from './cast.ts';
import {
  type Broken,
  checkCodes,
  checkDeadlines,
  checkEnd,
  checkLog,
  checkMails,
  checkRules,
  checkWhoMay,
} from './checks.ts';
import { chance, choose } from './choices.ts';
import { WORKS } from './jobs.ts';
import { restoreSellers, settleOutside } from './outside.ts';
import { aim, type Planned } from './people.ts';
import { look } from './sight.ts';
import { openWorld, type World } from './world.ts';

/** What happens at once: people act, or the jobs run. */
interface Moment {
  readonly hour: number;
  readonly acts: readonly Planned[];
}

export type Plan = readonly Moment[];

/** Hours between two moments. */
const PACE_HOURS = 3;
const MOMENTS_PER_DAY = 24 / PACE_HOURS;
const ACTS_AT_ONCE = 12;
/** So many do not wait for connections. */
const JOBS_AT_ONCE = 8;
/** What is left over at the end is settled in these days, without people and faults. */
const LAST_DAY = 76;

/** Who acts when. Another seed makes another plan. */
export function planOf(seed: number, days: number): Plan {
  return Array.from({ length: (days * 24) / PACE_HOURS }, (_, moment) => {
    const count = Math.floor(chance(seed, 'acts', moment) * (ACTS_AT_ONCE + 1));
    return {
      hour: moment * PACE_HOURS,
      acts: Array.from({ length: count }, (__, act) => {
        const task = `${moment}.${act}`;
        const isAdmin = chance(seed, 'admin', task) < 0.06;
        return { task, who: isAdmin ? ADMIN : Math.floor(chance(seed, 'who', task) * (CAST.length - 1)) };
      }),
    };
  });
}

export interface Outcome {
  readonly broken: readonly Broken[];
  /** When it was found, in hours; null: nothing was. */
  readonly hour: number | null;
  /** What happened, step by step. */
  readonly history: readonly string[];
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
  const offsets = new Map(
    WORKS.map(({ name }) => [name, Math.floor(chance(world.seed, 'hour', name) * MOMENTS_PER_DAY)]),
  );
  return (moment: string, index: number | null) => {
    for (const { name } of WORKS)
      if (index === null || index % MOMENTS_PER_DAY === offsets.get(name)) due.add(name);
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
  const { bids, exchanges } = await look(world);
  const note = 'So be it.';
  const decide = (id: number, call: Parameters<typeof world.callAs>[2]) =>
    world.moment(
      [
        {
          name: `decision ${id} ${day}`,
          work: () => world.callAs(ADMIN, `decision ${id} ${day}`, call).catch(() => {}),
        },
      ],
      { isFaulty: false },
    );
  for (const { claim } of bids)
    if (claim !== null)
      await decide(claim, (caller) =>
        caller.payments.decideClaim({
          id: claim,
          decision: choose(chance(world.seed, 'decision', claim), ['refund', 'release'] as const),
          note,
        }),
      );
  for (const claim of exchanges.flatMap(({ claims }) => claims))
    await decide(claim, (caller) =>
      caller.claims.decide({
        id: claim,
        decision: choose(chance(world.seed, 'decision', claim), ['upheld', 'refused'] as const),
        note,
      }),
    );
}

const isSoundAt = async (world: World): Promise<Broken[]> => [
  ...(await checkRules(world)),
  ...(await checkDeadlines(world)),
  ...(await checkWhoMay(world)),
  ...(await checkCodes(world)),
  ...checkLog(world),
];

/**
 * Runs a plan to its end, or until a promise is broken. The same seed and plan give the same history.
 * @param faultRate the part of the steps that fail
 */
export async function simulate(given: {
  readonly seed: number;
  readonly plan: Plan;
  readonly faultRate: number;
}): Promise<Outcome> {
  const history: string[] = [];
  const world = await openWorld({ ...given, note: (line) => history.push(line) });
  const jobsAt = createJobs(world);
  const outcome = (broken: readonly Broken[], hour: number | null): Outcome => ({ broken, hour, history });
  let hour = 0;
  try {
    for (const [index, moment] of given.plan.entries()) {
      ({ hour } = moment);
      world.setClock(addHours(world.start, hour));
      history.push(`== hour ${hour}`);
      await beat(world);
      for (const { who } of moment.acts) await world.signIn(who);
      const sight = await look(world);
      const acts = moment.acts.flatMap((one) => aim(world, sight, one));
      await world.moment(
        [
          ...acts.map(({ name, work }) => ({
            name,
            work: async () => {
              const said = await work();
              history.push(`   ${name} → ${String(said)}`);
            },
          })),
          ...deliveries(world, String(index), 0.5),
          ...jobsAt(String(index), index),
        ],
        { isFaulty: true },
      );
      if (index % MOMENTS_PER_DAY !== MOMENTS_PER_DAY - 1) continue;
      await settleOutside(world, String(index), 0.3);
      // Later, mails of a month ago are forgotten.
      const broken = [...(await isSoundAt(world)), ...(hour < 24 * 28 ? await checkMails(world) : [])];
      if (broken.length > 0) return outcome(broken, hour);
    }
    history.push('== the aftermath');
    await restoreSellers(world);
    const last = world.clock();
    for (let day = 1; day <= LAST_DAY; day += 1) {
      hour = 24 * day;
      world.setClock(addDays(last, day));
      await beat(world);
      if (day > 4 && day % 25 > 1) continue;
      await settleOutside(world, `after ${day}`, 1);
      await decideAll(world, `after ${day}`);
      await world.moment(deliveries(world, `after ${day}`, 1), { isFaulty: false });
      const jobs = jobsAt(`after ${day}`, null);
      const isMail = ({ name }: { readonly name: string }) => name.startsWith('mail ');
      const others = jobs.filter((job) => !isMail(job));
      for (let at = 0; at < others.length; at += JOBS_AT_ONCE)
        await world.moment(others.slice(at, at + JOBS_AT_ONCE), { isFaulty: false });
      // Mails of these days, before many days pass.
      await world.moment(jobs.filter(isMail), { isFaulty: false });
    }
    const broken = [...(await isSoundAt(world)), ...(await checkEnd(world))];
    return outcome(broken, broken.length > 0 ? hour : null);
  } catch (error) {
    return outcome([`the market has an error of its own: ${inspect(error)}`], hour);
  } finally {
    await world.close();
  }
}
