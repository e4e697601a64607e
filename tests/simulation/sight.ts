import { sql } from 'kysely';
import { codeContext } from '#server/coupons/core/view.ts';
import type { ActWorld } from '../market/acts/act.ts';
import { NOTHING, type State } from '../market/state.ts';
import { readStored } from '../market/stored.ts';
import type { World } from './world.ts';

/** An exchange has its id and so much as its number: a bid may have the same id. */
const EXCHANGES = 1_000_000_000;

interface StoredClaim {
  readonly id: number;
  readonly status: string;
  /** Of a sale. */
  readonly bidId: number | null;
  /** Of a coupon from a swap. */
  readonly exchangeId: number | null;
  readonly couponId: number | null;
}

/** What there is to act on, as the database has it when a moment begins. */
export interface Sight {
  readonly state: State;
  readonly claims: readonly StoredClaim[];
}

/** What is stored, for a comparison of two runs: what the acts know of, the accounts of the books and what people were told. */
export async function contentsOf(world: World): Promise<string> {
  const { state } = await look(world);
  const { rows: accounts } = await sql`
    select a.kind, a.provider, a.id, sum(e.amount) from ledger_accounts a join ledger_entries e on e.account_id = a.id
    group by a.id order by a.id`.execute(world.direct.db);
  const { rows: told } = await sql`
    select user_id, type, count(*) from notifications group by user_id, type order by user_id, type`.execute(
    world.direct.db,
  );
  return JSON.stringify([state.people, [...state.coupons], [...state.deals], accounts, told]);
}

export async function look({ direct, people }: World): Promise<Sight> {
  const stored = await readStored(direct.db, {
    people: people.map(({ id }) => id),
    coupon: (id) => id,
    exchange: (id) => EXCHANGES + id,
    bid: (id) => id,
  });
  const secrets = await direct.db.selectFrom('couponSecrets').select(['couponId', 'code']).execute();
  for (const { couponId, code } of secrets) {
    const coupon = stored.coupons.get(couponId);
    if (coupon) coupon.code = direct.vault.open(code, codeContext(couponId));
  }
  const claims = await direct.db
    .selectFrom('claims')
    .select(['id', 'status', 'bidId', 'exchangeId', 'couponId'])
    .orderBy('id')
    .execute();
  // No act is chosen by earlier claims.
  return { state: { ...stored, now: direct.clock().getTime(), granted: [], declined: [] }, claims };
}

/** What the acts of the simulation reach. */
export type Reach = ActWorld & { readonly world: World };

/** What acts reach who have seen this. */
export const reachOf = (world: World, { claims }: Sight): Reach => ({
  world,
  market: world.sandbox,
  couponId: (number) => number,
  exchangeId: (number) => (number === NOTHING ? NOTHING : number - EXCHANGES),
  bidId: (number) => number,
  personId: (who) => world.people[who]?.id ?? NOTHING,
  usernameOf: (who) => world.people[who]?.username ?? '',
  claimId: async (bid) => claims.find(({ bidId }) => bidId === bid)?.id ?? NOTHING,
  legClaimId: async (exchange, coupon) =>
    claims.find(({ exchangeId, couponId }) => exchangeId === exchange - EXCHANGES && couponId === coupon)
      ?.id ?? NOTHING,
  remember() {},
  couponOf: (id) => id,
  note() {},
});
