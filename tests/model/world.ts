import { sql } from 'kysely';
import type { ErrorCode } from '#contract/base/errors.ts';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { resolveSession, startSession } from '#server/people/sessions/sessions.ts';
import type { Caller } from '#server/rest/caller.ts';
import { toWire } from '#server/trpc/errors.ts';
import { createUser } from '#tests/support/builders.ts';
import { createTestDatabase, MANY_CONNECTIONS } from '#tests/support/database.ts';
import { type Market, openMarket } from '#tests/support/payments.ts';
import { type RecordedDatabase, recorded } from '#tests/support/serial-order.ts';
import type { ActWorld } from '../market/acts/act.ts';
import { callerOf } from '../market/callers.ts';
import { ADMIN, CAST, HOUR_MS, NOTHING } from '../market/state.ts';
import { readStored } from '../market/stored.ts';

/** How a call was refused. */
type Refusal = ErrorCode | `internal: ${string}`;

/** The marketplace itself, for one run, with the ids of what the model knows by number. */
export type World = Awaited<ReturnType<typeof openWorld>>;

/** How often something has come up in all runs, so that no rule about it holds for nothing. */
type Seen = Record<Parameters<ActWorld['note']>[0] | 'matches' | 'paidSwaps' | 'paidRings', number>;

export interface Place {
  readonly market: Market;
  readonly database: RecordedDatabase;
  readonly seen: Seen;
  /** Empties the marketplace and fills it with the cast. */
  open(): Promise<World>;
  close(): Promise<void>;
}

/** Empties every table that knows people, those that refuse it included. */
async function empty({ ctx }: Market): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ table: string }>`
      select tgrelid::regclass::text as table from pg_trigger where tgname like '%_append_only'`.execute(trx);
    const turnTriggers = async (how: 'disable' | 'enable') => {
      for (const { table } of rows) await sql.raw(`alter table ${table} ${how} trigger user`).execute(trx);
    };
    await turnTriggers('disable');
    await sql`truncate users cascade`.execute(trx);
    await sql`update guarantee_reserve set balance = 0`.execute(trx);
    await sql`delete from weekly_sums`.execute(trx);
    await turnTriggers('enable');
  });
}

/** Opens the database, the providers and the sellers' accounts there, for many runs. */
export async function openPlace(): Promise<Place> {
  const database = await recorded(await createTestDatabase({ connections: MANY_CONNECTIONS }));
  const market = await openMarket({
    database,
    // The reserve follows every sale; claims after the hold have tests of their own.
    config: { guarantee: { days: 0, reservePercent: 20 } },
  });
  const accounts = await Promise.all(
    CAST.map(async ({ sellsBy }) => {
      const seller = await market.readySeller(sellsBy);
      return market.ctx.db.selectFrom('sellerAccounts').selectAll().where('userId', '=', seller.id).execute();
    }),
  );
  const start = market.ctx.clock();
  const seen: Seen = {
    matches: 0,
    counters: 0,
    deposits: 0,
    legClaims: 0,
    rings: 0,
    paidSwaps: 0,
    paidRings: 0,
  };
  return {
    market,
    database,
    seen,
    async open() {
      await empty(market);
      market.ctx.clock.set(start);
      for (const sandbox of [market.stripe, market.paypal]) sandbox.waiting().forEach(sandbox.drop);
      const people: Actor[] = [];
      for (const [who, own] of accounts.entries()) {
        const person = await createUser(market.ctx, { role: who === ADMIN ? 'admin' : 'user' });
        people.push(person);
        const rows = own.map((row) => ({
          ...row,
          userId: person.id,
          requirements: JSON.stringify(row.requirements),
        }));
        if (rows.length > 0) await market.ctx.db.insertInto('sellerAccounts').values(rows).execute();
      }
      return openWorld(market, people, seen);
    },
    close: () => market.close(),
  };
}

async function openWorld(market: Market, people: readonly Actor[], seen: Seen) {
  const { ctx } = market;
  const known = {
    coupons: new Map<number, number>(),
    exchanges: new Map<number, number>(),
    bids: new Map<number, number>(),
  };
  type Kind = keyof typeof known;
  const idOf = (kind: Kind) => (number: number) => known[kind].get(number) ?? NOTHING;
  const numberOf = (kind: Kind, id: number) => [...known[kind]].find(([, other]) => other === id)?.[0];
  /** What the model does not know has its id, below zero. */
  const knownAs = (kind: Kind) => (id: number) => numberOf(kind, id) ?? -id;
  const tokens: string[] = [];
  for (const { id } of people) tokens.push((await startSession(ctx.db, ctx.clock, id)).token);

  const callerFor = (actor: Actor | null, who: number | null): Caller =>
    callerOf(ctx, actor, {
      set({ token }: { token: string }) {
        if (who !== null) tokens[who] = token;
      },
    });
  const personOf = (who: number): Actor => {
    const person = people[who];
    if (!person) throw new Error(`There is no person ${who}`);
    return person;
  };

  return {
    market,
    /** Of the cast, by their place. */
    people: people.map(({ id }) => id),
    seen,
    note(what: keyof Seen) {
      seen[what] += 1;
    },
    remember: (kind: Kind, number: number, id: number) => void known[kind].set(number, id),
    couponOf: (id: number) => numberOf('coupons', id),
    couponId: idOf('coupons'),
    exchangeId: idOf('exchanges'),
    bidId: idOf('bids'),
    personId: (who: number) => personOf(who).id,
    usernameOf: (who: number) => personOf(who).username,
    async claimId(bid: number): Promise<number> {
      const found = await ctx.db
        .selectFrom('claims')
        .select('id')
        .where('bidId', '=', idOf('bids')(bid))
        .executeTakeFirst();
      return found?.id ?? NOTHING;
    },
    async legClaimId(exchange: number, coupon: number): Promise<number> {
      const found = await ctx.db
        .selectFrom('claims')
        .select('id')
        .where('exchangeId', '=', idOf('exchanges')(exchange))
        .where('couponId', '=', idOf('coupons')(coupon))
        .executeTakeFirst();
      return found?.id ?? NOTHING;
    },
    /** Calls with a person's session, as a request does. @returns the answer, or how it was refused */
    async callAs<Answer>(
      who: number | null,
      call: (caller: Caller) => Promise<Answer>,
    ): Promise<Answer | Refusal> {
      try {
        const session = who === null ? null : await resolveSession(ctx, tokens[who] ?? '');
        return await call(callerFor(session?.actor ?? null, who));
      } catch (error) {
        const { code } = toWire(error);
        return code === 'internal' ? `internal: ${reasonOf(error)}` : code;
      }
    },
    /** Lets time pass; sessions do not end by it. */
    async wait(hours: number): Promise<void> {
      const alive = await Promise.all(tokens.map((token) => resolveSession(ctx, token)));
      ctx.clock.set(new Date(ctx.clock().getTime() + hours * HOUR_MS));
      for (const [who, session] of alive.entries()) {
        if (session) tokens[who] = (await startSession(ctx.db, ctx.clock, personOf(who).id)).token;
      }
    },
    read: () =>
      readStored(ctx.db, {
        people: people.map(({ id }) => id),
        coupon: knownAs('coupons'),
        exchange: knownAs('exchanges'),
        bid: knownAs('bids'),
      }),
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
