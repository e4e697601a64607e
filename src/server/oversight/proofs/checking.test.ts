import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { revealCode } from '#server/coupons/codes/reveals.ts';
import { issueStatement } from '#server/coupons/exposures/service.ts';
import { findChain } from '#server/coupons/exposures/store.ts';
import { inTransaction } from '#server/database/client.ts';
import { actingAs, createTestContext, createUser, type TestContext } from '#tests/support/builders.ts';
import { listCoupon } from '#tests/support/coupons.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { writePayment } from '#tests/support/ledger.ts';
import { checkProofs } from './checking.ts';
import { makeRoot } from './roots.ts';
import { listRoots } from './service.ts';

let database: TestDatabase;
let ctx: TestContext;
let owner: Actor;
let couponId: number;
let chain: string;

/** A code with five entries, of which three are in a statement and four in a daily root, and a ledger. */
beforeEach(async () => {
  database = await createTestDatabase();
  ctx = createTestContext(database);
  owner = await createUser(ctx);
  couponId = (await listCoupon(ctx, owner)).id;
  const look = async () => {
    ctx.clock.advanceDays(0.01);
    await revealCode(actingAs(ctx, owner), couponId);
  };
  await look();
  await look();
  await issueStatement(actingAs(ctx, owner), couponId);
  await look();
  await writePayment(ctx, 'held');
  await makeRoot(ctx);
  await look();
  chain = (await findChain(ctx.db, couponId))?.id ?? '';
});

const RULES = {
  hashed: 'every entry has the hash of itself and of the one before',
  ended: 'every chain ends with its last entry',
  promised: 'every chain still begins as was said of it',
  orphans: 'what belongs to a chain has its chain',
  views: 'every view of a code has its entry',
  records: 'every entry of a view or a transfer has its record',
  roots: 'every daily root has its chains',
  signed: 'every daily root is signed as it is',
  follows: 'every daily root follows the one before',
  ledger: 'the ledger is as every daily root saw it',
} as const;

afterEach(() => database.close());

/** What somebody does first who has the database and wants to change what it refuses to change. */
const DISARM = `
  do $$ declare statement text; begin
    for statement in
      select format('alter table %s drop constraint %I', conrelid::regclass, conname)
        from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace
      union all
      select format('alter table %I disable trigger user', tablename) from pg_tables where schemaname = current_schema()
    loop execute statement; end loop;
  end $$`;

/** The rules that are broken after statements that no trigger and no foreign key stops. */
async function brokenAfter(...statements: readonly string[]): Promise<string[]> {
  await inTransaction(ctx.db, async (trx) => {
    for (const statement of [DISARM, ...statements])
      await sql.raw(statement.replaceAll('$chain', `'${chain}'`)).execute(trx);
  });
  return (await checkProofs(ctx)).broken.map(({ rule }) => rule).sort();
}

/** Computes all hashes of the chain again, as somebody would who has to hide a change. */
const HASH_AGAIN = `
  do $$ declare entry record; previous bytea := decode(repeat('00', 32), 'hex'); place integer := 0; begin
    for entry in select * from exposure_entries where chain_id = $chain order by seq loop
      place := place + 1;
      previous := exposure_hash(entry.chain_id, place, entry.kind, entry.person, entry.at, previous);
      update exposure_entries set seq = place, hash = previous where chain_id = $chain and seq = entry.seq;
    end loop;
    update exposure_chains set head = previous, length = place where id = $chain;
  end $$`;
/** Hides the records of views, too. */
const LIKE_ENTRIES = `
  delete from coupon_reveals where coupon_id = (select coupon_id from exposure_chains where id = $chain)
    and not exists (select from exposure_entries where chain_id = $chain and at = revealed_at::timestamptz(3))`;

it('finds nothing wrong in what is right, and counts it', async () => {
  expect(await checkProofs(ctx)).toMatchObject({ broken: [], roots: 1, statements: 1 });
});

describe('a chain', () => {
  it('from which an entry is removed', async () => {
    const removed = 'delete from exposure_entries where chain_id = $chain and seq = 2';
    expect(await brokenAfter(removed)).toEqual(
      [RULES.ended, RULES.promised, RULES.hashed, RULES.views].sort(),
    );
  });

  it('from which an entry is removed, with all that is left made to fit', async () => {
    const removed = 'delete from exposure_entries where chain_id = $chain and seq = 2';
    expect(await brokenAfter(removed, HASH_AGAIN, LIKE_ENTRIES)).toEqual([RULES.promised]);
  });

  it('whose entry is altered, with all that follows made to fit', async () => {
    const altered = `update exposure_entries set at = at - interval '1 day' where chain_id = $chain and seq = 3`;
    expect(await brokenAfter(altered)).toContain(RULES.hashed);
    expect(await brokenAfter(HASH_AGAIN)).toEqual([RULES.promised, RULES.records, RULES.views].sort());
  });

  it('to which an entry is added', async () => {
    const added = [
      'update exposure_entries set seq = seq + 100 where chain_id = $chain and seq > 1',
      `insert into exposure_entries (chain_id, seq, kind, person, at, hash)
        select chain_id, 2, 'shown', 1, at, hash from exposure_entries where chain_id = $chain and seq = 1`,
    ];
    expect(await brokenAfter(...added, HASH_AGAIN)).toEqual([RULES.promised, RULES.records].sort());
  });

  it('whose entries are in another order', async () => {
    const swapped = `update exposure_entries set seq = case seq when 2 then 1003 else 1002 end
      where chain_id = $chain and seq in (2, 3)`;
    const back = 'update exposure_entries set seq = seq - 1000 where chain_id = $chain and seq > 1000';
    expect(await brokenAfter(swapped, back)).toEqual([RULES.hashed, RULES.promised, RULES.ended].sort());
    expect(await brokenAfter(HASH_AGAIN)).toEqual([RULES.promised]);
  });

  it('whose tail is removed: in a statement, in a daily root, and after both', async () => {
    const cut = (after: number) => `delete from exposure_entries where chain_id = $chain and seq > ${after}`;
    // The last view is newer than the root: only its own record knows of it.
    expect(await brokenAfter(cut(4), HASH_AGAIN)).toEqual([RULES.views]);
    expect(await brokenAfter(LIKE_ENTRIES)).toEqual([]);
    expect(await brokenAfter(cut(3), HASH_AGAIN, LIKE_ENTRIES)).toEqual([RULES.promised]);
    expect(await brokenAfter(cut(2), HASH_AGAIN, LIKE_ENTRIES)).toEqual([RULES.promised]);
  });

  it('that is removed whole', async () => {
    const gone = [
      'delete from exposure_entries where chain_id = $chain',
      'delete from exposure_people where chain_id = $chain',
      'delete from exposure_codes where chain_id = $chain',
      'delete from coupon_reveals where coupon_id = (select coupon_id from exposure_chains where id = $chain)',
      'delete from coupon_secrets where coupon_id = (select coupon_id from exposure_chains where id = $chain)',
      'delete from exposure_chains where id = $chain',
    ];
    expect(await brokenAfter(...gone)).toEqual([RULES.orphans]);
    const forgotten = [
      'delete from exposure_statements where chain_id = $chain',
      'delete from proof_root_chains where chain_id = $chain',
    ];
    expect(await brokenAfter(...forgotten)).toEqual([RULES.roots]);
  });

  it('of a code that is still there, before any root', async () => {
    const { id } = await listCoupon(ctx, owner);
    chain = (await findChain(ctx.db, id))?.id ?? '';
    const gone = ['entries', 'people', 'codes'].map(
      (table) => `delete from exposure_${table} where chain_id = $chain`,
    );
    expect(await brokenAfter(...gone, 'delete from exposure_chains where id = $chain')).toEqual([
      'every code has a chain, but public ones',
    ]);
  });
});

describe('the ledger', () => {
  it.each([
    [
      'a journal that is altered',
      'update ledger_journals set amount = amount + 0.01 where id = (select min(id) from ledger_journals)',
    ],
    ['an entry that is altered', 'update ledger_entries set amount = -amount'],
    [
      'a journal that is removed',
      'delete from ledger_journals where id = (select min(id) from ledger_journals)',
    ],
    [
      'a journal that is added in the past',
      `insert into ledger_journals (id, kind, payment_id, amount, sequence, created_at) overriding system value
        select -1, kind, payment_id, amount, 77, created_at from ledger_journals
        order by id limit 1`,
    ],
  ])('with %s is not what the daily root saw', async (_what, statement) => {
    expect(await brokenAfter(statement)).toEqual([RULES.ledger]);
  });

  it('goes on: later journals are in the next root', async () => {
    await writePayment(ctx, 'completed');
    ctx.clock.advanceDays(1);
    expect(await makeRoot(ctx)).not.toBeNull();
    const { items } = await listRoots(ctx, { page: 1, limit: 10 });
    const [second, first] = items;
    expect(second?.previous).toBe(first?.root);
    expect(second?.journals).toBeGreaterThan(first?.journals ?? 0);
    // The chain that has grown, and that of the coupon that was sold.
    expect(second?.chains).toBe(2);
    expect((await checkProofs(ctx)).broken).toEqual([]);
  });
});

describe('a daily root', () => {
  it('is made once a day', async () => {
    expect(await makeRoot(ctx)).toBeNull();
    ctx.clock.advanceDays(1);
    const made = await Promise.all([makeRoot(ctx), makeRoot(ctx)]);
    expect(made.filter((day) => day !== null)).toHaveLength(1);
    expect((await listRoots(ctx, { page: 1, limit: 10 })).total).toBe(2);
    expect((await checkProofs(ctx)).broken).toEqual([]);
  });

  it('that is altered is not what was signed', async () => {
    expect(await brokenAfter(`update proof_roots set books = books || ' '`)).toEqual([RULES.signed]);
  });

  it('that is removed is missed by the next one', async () => {
    ctx.clock.advanceDays(1);
    await makeRoot(ctx);
    const gone = `delete from proof_roots where day = (select min(day) from proof_roots)`;
    expect(await brokenAfter(gone)).toContain(RULES.follows);
  });
});
