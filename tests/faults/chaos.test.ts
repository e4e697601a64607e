import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decimalToCents } from '#contract/base/money.ts';
import type { Actor } from '#server/context/context.ts';
import { createDatabase, type DatabaseHandle } from '#server/database/client.ts';
import { checkLedger } from '#server/money/books/ledger.ts';
import { reconcilePayments } from '#server/money/workers/service.ts';
import { checkProofs } from '#server/oversight/proofs/checking.ts';
import { startSession } from '#server/people/sessions/sessions.ts';
import { openPayments } from '#server/providers/open-payments.ts';
import { settingsOf } from '#tests/support/app.ts';
import {
  createCoupon,
  createTestClock,
  createTestContext,
  createUser,
  type TestContext,
} from '#tests/support/builders.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { HANGS_MS } from '#tests/support/patience.ts';
import { CARDS, setUpStripeSeller } from '#tests/support/payments.ts';
import { createRandom } from '#tests/support/random.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { insist, openChaosWorld } from './chaos-world.ts';
import { addDisk } from './full-disk.ts';
import { readStripe } from './provider-books.ts';
import type { Fault } from './proxy.ts';

/**
 * Two processes trade over one database while everything fails: the network to the database in each of its ways, and
 * kill -9 of the processes and of the database. Its disk is full for a while, and the clock of one process is wrong.
 * What was acknowledged has happened, once.
 */

const KILLS = shortOrLong(1, 20);
/** The long form goes on for so long. */
const LONG_MS = shortOrLong(0, 1_800_000);
/** Few in the short form: they trade all the time. */
const LANES = shortOrLong(2, 6);
const PEOPLE = shortOrLong(4, 12);
/** database-outage.test.ts has the others. */
const FAULTS: readonly Fault[] = shortOrLong(
  ['cut', 'lose-commit'],
  ['refuse', 'cut', 'delay', 'swallow', 'half-open', 'lose-commit'],
);
/** Acts acknowledged between two blows: so many have to get through. */
const BETWEEN = shortOrLong(1, 4);

interface Person extends Actor {
  readonly cookie: string;
}

let world: Awaited<ReturnType<typeof openChaosWorld>>;
let direct: DatabaseHandle;
let ctx: TestContext;
let people: Person[];
let setDiskFull: (isFull: boolean) => Promise<void>;

/** What the marketplace has acknowledged. */
const acknowledged = {
  exchanges: new Map<number, string>(),
  bids: new Map<number, string>(),
  messages: new Set<string>(),
};
/** Every text and confirmation that was sent, acknowledged or not. */
const sent = { messages: new Set<string>(), deals: new Set<string>(), confirms: new Set<number>() };
const counts = { acts: 0, away: 0, broken: 0, unknown: 0, refused: 0 };
const unexpected: unknown[] = [];
const readyAfterMs: number[] = [];
const answersAfterMs: number[] = [];
let isOver = false;

beforeAll(async () => {
  world = await openChaosWorld();
  direct = createDatabase({ url: world.database.url, poolSize: 5 });
  const payments = openPayments({ stripe: null, paypal: null, ...settingsOf(world.sandbox, ['stripe']) });
  ctx = createTestContext(direct, {
    clock: createTestClock(new Date()),
    providers: { payments: payments.providers, paymentClient: payments.client },
  });
  setDiskFull = await addDisk(direct.db);
  people = await Promise.all(
    Array.from({ length: PEOPLE }, async () => {
      const person = await createUser(ctx);
      await setUpStripeSeller(ctx, person, world.sandbox.stripe);
      const { token } = await startSession(ctx.db, ctx.clock, person.id);
      return { ...person, cookie: `clipswap=${token}` };
    }),
  );
});
afterAll(async () => {
  await direct.close();
  await world.close();
});

type Answer = Record<string, unknown>;

/** Calls one of the two processes. @returns null when nobody knows what has happened */
async function call(who: Person, method: string, path: string, body: object): Promise<Answer | null> {
  const app = world.apps[counts.acts % 2] ?? world.apps[0];
  counts.acts += 1;
  try {
    const answer = await fetch(app.url + path, {
      method,
      headers: { cookie: who.cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const said = (await answer.json()) as Answer;
    if (answer.ok) return said;
    if (answer.status === 503 && said.code === 'unavailable' && answer.headers.has('retry-after'))
      counts.away += 1;
    else if (answer.status === 503 && said.code === 'outcome_unknown') counts.unknown += 1;
    else if (answer.status === 503 && said.code === 'payments_unavailable') counts.away += 1;
    // It had happened, though nobody was told; or the limits of one address.
    else if (answer.status === 409 || answer.status === 429) counts.refused += 1;
    else unexpected.push({ path, status: answer.status, said });
    return null;
  } catch {
    // The process was killed.
    counts.broken += 1;
    return null;
  }
}

/** The same, a few times; a repeated act may be refused because it has happened. */
async function insistOn(who: Person, method: string, path: string, body: object): Promise<Answer | null> {
  for (let tries = 0; tries < 8; tries += 1) {
    const answer = await call(who, method, path, body);
    if (answer || isOver) return answer;
    await sleep(150);
  }
  return null;
}

function newText(): string {
  const text = `chaos ${randomUUID()}`;
  sent.deals.add(text);
  return text;
}

async function swap(one: Person, other: Person): Promise<void> {
  const offered = await insist(() => createCoupon(ctx, one));
  const requested = await insist(() => createCoupon(ctx, other));
  const deal = await call(one, 'POST', '/api/exchanges', {
    requestedCouponId: requested.id,
    offeredCouponId: offered.id,
    message: newText(),
  });
  if (!deal) return;
  const id = Number(deal.id);
  acknowledged.exchanges.set(id, 'pending');
  const content = `chaos ${randomUUID()}`;
  sent.messages.add(content);
  const clientKey = randomUUID();
  if (await insistOn(one, 'POST', `/api/exchanges/${id}/messages`, { content, clientKey }))
    acknowledged.messages.add(content);
  for (const status of ['accepted', 'completed']) {
    if (!(await insistOn(other, 'PATCH', `/api/exchanges/${id}/status`, { status }))) return;
    acknowledged.exchanges.set(id, status);
  }
}

async function sell(seller: Person, buyer: Person): Promise<void> {
  const coupon = await insist(() => createCoupon(ctx, seller));
  const bid = await call(buyer, 'POST', '/api/bids', {
    couponId: coupon.id,
    amount: '12.50',
    message: newText(),
  });
  if (!bid) return;
  const bidId = Number(bid.id);
  acknowledged.bids.set(bidId, 'pending');
  if (!(await insistOn(seller, 'PUT', `/api/bids/${bidId}/status`, { status: 'accepted' }))) return;
  acknowledged.bids.set(bidId, 'accepted');
  const intent = await insistOn(buyer, 'POST', '/api/connect/create-payment-intent', { bidId });
  if (!intent) return;
  await world.sandbox.stripe.confirmWithCard(String(intent.clientSecret), CARDS.good);
  if (!(await insistOn(buyer, 'POST', `/api/bids/${bidId}/payment/refresh`, {}))) return;
  acknowledged.bids.set(bidId, 'paid');
  // The money for the others stays held.
  if (bidId % 2 === 0) return;
  sent.confirms.add(bidId);
  if (await insistOn(buyer, 'POST', `/api/bids/${bidId}/confirm`, {}))
    acknowledged.bids.set(bidId, 'confirmed');
}

async function trade(seed: number): Promise<void> {
  const random = createRandom(seed);
  while (!isOver) {
    const [one, other] = [people[random(PEOPLE)], people[random(PEOPLE)]];
    if (!one || !other || one.id === other.id) continue;
    await (random(2) === 0 ? swap : sell)(one, other);
  }
}

const countAcknowledged = () =>
  acknowledged.exchanges.size + acknowledged.bids.size + acknowledged.messages.size;

const paidBids = () => [...acknowledged.bids.values()].filter((as) => as === 'paid' || as === 'confirmed');

/** Waits until trade goes on. */
async function untilTraded(): Promise<void> {
  const before = countAcknowledged();
  await expect.poll(countAcknowledged).toBeGreaterThanOrEqual(before + BETWEEN);
}

async function strikeAll(): Promise<void> {
  const end = performance.now() + LONG_MS;
  do {
    for (const fault of FAULTS) {
      await world.proxy.set(fault, 300);
      await sleep(500);
      await world.proxy.set('none');
      await untilTraded();
    }
    await insist(() => setDiskFull(true));
    await sleep(500);
    await insist(() => setDiskFull(false));
    await untilTraded();
    for (let kill = 0; kill < KILLS; kill += 1) await killBoth(kill);
  } while (performance.now() < end);
  // However short it was, there is something to look at.
  await expect.poll(() => Math.min(acknowledged.exchanges.size, paidBids().length)).toBeGreaterThan(0);
}

/** Kills one of the processes, and then the database. */
async function killBoth(kill: number): Promise<void> {
  readyAfterMs.push(await (world.apps[kill % 2] ?? world.apps[0]).killAndRestart());
  await untilTraded();
  await world.database.kill();
  await insist(() => sql`select 1`.execute(direct.db));
  const isBack = performance.now();
  await expect
    .poll(async () => (await fetch(`${world.apps[0].url}/readyz`)).status, { interval: 20 })
    .toBe(200);
  answersAfterMs.push(performance.now() - isBack);
  expect(
    world.apps.map((app) => app.isAlive()),
    world.apps.map((app) => app.output()).join('\n'),
  ).toEqual([true, true]);
  await untilTraded();
  // The load comes from one address: its limits are not what is tested here.
  await insist(() => direct.db.deleteFrom('rateLimits').execute());
}

/** What every payment job would do in time, done now, by a process that nothing happens to. */
async function settle(): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    ctx.clock.advanceDays(1 / 24);
    const done = await reconcilePayments(ctx);
    quiet = Object.values(done).every((count) => count === 0) ? quiet + 1 : 0;
  }
}

describe(`${KILLS} kills of each, and ${FAULTS.length} faults of the network, during trade`, () => {
  it(
    'let trade go on after each, and the processes outlive the database',
    async ({ annotate }) => {
      const lanes = Promise.all(Array.from({ length: LANES }, (_, lane) => trade(lane + 1)));
      try {
        await strikeAll();
      } finally {
        isOver = true;
        await lanes;
      }
      await Promise.all(world.apps.map((app) => app.stop()));
      await settle();
      const [ready, answering] = [readyAfterMs, answersAfterMs].map((times) => times.map(Math.round));
      const numbers = {
        acknowledged: countAcknowledged(),
        ...counts,
        ready,
        answering,
      };
      await annotate(JSON.stringify(numbers));
    },
    HANGS_MS + 2 * LONG_MS,
  );

  it('were met with answers that the contract knows', () => {
    expect(unexpected).toEqual([]);
    expect(counts.away).toBeGreaterThan(0);
  });

  it('lost no message, and doubled none', async () => {
    const rows = await direct.db.selectFrom('messages').select('content').execute();
    const found = rows.map(({ content }) => content);
    expect([...acknowledged.messages].filter((text) => !found.includes(text))).toEqual([]);
    expect(new Set(found).size).toBe(found.length);
  });

  it('lost no deal, doubled none, and left each at least as far as was acknowledged', async () => {
    const exchanges = await direct.db.selectFrom('exchanges').select(['id', 'status', 'message']).execute();
    const bids = await direct.db.selectFrom('bids').select(['id', 'status', 'message']).execute();
    const texts = [...exchanges, ...bids].map(({ message }) => message);
    expect(new Set(texts).size).toBe(texts.length);
    const FAR: Record<string, readonly string[]> = {
      pending: ['pending', 'accepted', 'completed'],
      accepted: ['accepted', 'completed'],
      completed: ['completed'],
      paid: ['completed'],
      confirmed: ['completed'],
    };
    const fallenBack = (
      rows: readonly { id: number; status: string }[],
      known: ReadonlyMap<number, string>,
    ) =>
      [...known].filter(
        ([id, as]) => !FAR[as]?.includes(rows.find((row) => row.id === id)?.status ?? 'gone'),
      );
    expect(fallenBack(exchanges, acknowledged.exchanges)).toEqual([]);
    expect(fallenBack(bids, acknowledged.bids)).toEqual([]);
    expect(acknowledged.exchanges.size).toBeGreaterThan(0);
    expect(paidBids()).not.toEqual([]);
  });

  it('charged each sale once, and left the same sum in our books and at the provider', async () => {
    const { movements, balance } = await readStripe(world.sandbox.store);
    const charges = movements.filter(({ kind }) => kind === 'charge').map(({ publicId }) => publicId);
    expect(new Set(charges).size).toBe(charges.length);
    const { rows } = await sql<{ sum: string }>`
      select coalesce(sum(e.amount), 0.00)::text as sum from ledger_entries e
      join ledger_accounts a on a.id = e.account_id
      where a.kind = 'provider_clearing' and a.provider = 'stripe'`.execute(direct.db);
    expect(decimalToCents(rows[0]?.sum ?? '0')).toBe(balance);
  });

  it('released no money early, whatever the clock of one process said', async () => {
    const released = await direct.db
      .selectFrom('paymentTransactions')
      .select('bidId')
      .where('status', 'in', ['releasing', 'completed'])
      .execute();
    expect(released.filter(({ bidId }) => !sent.confirms.has(bidId))).toEqual([]);
  });

  it('left nothing broken', async () => {
    expect(await checkInvariants(direct.db)).toEqual([]);
    expect((await checkLedger(ctx)).broken).toEqual([]);
    expect((await checkProofs(ctx)).broken).toEqual([]);
  });
});
