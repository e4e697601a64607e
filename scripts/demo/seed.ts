/** Demo data for the first start: people, coupons and deals in every state, spread over the last two months. */
import { sql } from 'kysely';
import { DEMO_PASSWORD } from '#contract/people/accounts.ts';
import type { Database } from '#server/database/client.ts';
import { inOneTransaction } from '#server/database/one-transaction.ts';
import { demoPeople } from '#server/people/accounts/service.ts';
import type { Program } from '#server/program.ts';
import { type DemoPlan, planDemo } from './plan.ts';
import { createDemoClient } from './steps.ts';
import { listSteps } from './story.ts';

/** The parts of the program that the demo needs. */
export type SeedProgram = Pick<Program, 'deps' | 'pool'>;

/** The key of the advisory lock; nothing else in the database uses it. */
const SEED_LOCK = 1_129_075_553;

/**
 * Fills an empty marketplace with the demo data and reports it on the console. Does nothing if the settings do not
 * ask for demo data, or if anybody has registered.
 */
export async function seedDemoOnce(program: SeedProgram): Promise<void> {
  if (program.deps.config.seedDemo) await fillIfEmpty(program);
}

/**
 * Creates the demo through the calls that a browser makes, in one transaction: an interrupted run leaves nothing
 * behind, and a second process waits and then finds the people of the first.
 * @returns whether the marketplace was empty
 */
export async function fillIfEmpty({ deps, pool }: SeedProgram): Promise<boolean> {
  const fill = async (db: Database) => {
    await sql`select pg_advisory_xact_lock(${SEED_LOCK})`.execute(db);
    if (await hasPeople(db)) return false;
    const { stripe, paypal } = deps.providers.paymentClient;
    const hasPayments = stripe?.scriptUrl && paypal?.sdkBaseUrl;
    const plan = hasPayments ? planDemo() : withoutSales(planDemo());
    const present = deps.clock();
    const client = createDemoClient(deps, db, present);
    const steps = listSteps(plan, present, deps.config.marketDay);
    for (const [index, step] of steps.entries()) {
      client.setDaysAgo(step.daysAgo);
      await step.run(client);
      showProgress(index + 1, steps.length);
    }
    const [busiest] = await demoPeople(client.contextOf(null));
    console.log(summaryOf(plan, busiest?.username));
    return true;
  };
  return inOneTransaction(pool, fill);
}

/** Without stand-ins for both payment providers the demo has no sales, no moderator, and so no claim that one has decided. */
export function withoutSales(plan: DemoPlan): DemoPlan {
  return {
    ...plan,
    people: plan.people.filter(({ role }) => role === undefined),
    bids: [],
    swaps: plan.swaps.map((swap) => {
      const { claim, ...unclaimed } = swap;
      return claim?.note === undefined ? swap : unclaimed;
    }),
  };
}

async function hasPeople(db: Database): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** In a terminal: a line that counts up and disappears at the end. */
function showProgress(done: number, all: number): void {
  if (!process.stdout.isTTY) return;
  const percent = Math.floor((100 * done) / all);
  process.stdout.write(done < all ? `\rFilling the marketplace … ${percent} %` : '\r\u001b[K');
}

function summaryOf({ people, coupons, swaps, bids }: DemoPlan, username: string | undefined): string {
  return (
    `The marketplace is filled with ${people.length} demo people, ${coupons.length} coupons, ` +
    `${swaps.length} exchanges and ${bids.length} bids. Sign in as ${username} with the password ${DEMO_PASSWORD}.`
  );
}
