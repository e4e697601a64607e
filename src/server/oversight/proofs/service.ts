import type { Page } from '#contract/base/primitives.ts';
import { LEAVES_IN_GROUP } from '#contract/oversight/proof-lines.ts';
import {
  booksFiguresSchema,
  type CheckedStatement,
  type CheckStatementInput,
  type DailyRoot,
  type Inclusion,
  type OpenBooks,
  STATEMENT_TYPE,
  statementSchema,
} from '#contract/oversight/proofs.ts';
import type { Context } from '#server/context/context.ts';
import { addressKey, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { entriesOf, verify } from '#server/coupons/exposures/service.ts';
import type { Paging } from '#server/database/paging.ts';
import { leafOf } from './hashing.ts';
import { factsOf } from './roots.ts';
import * as store from './store.ts';

const HASH_BYTES = 32;

const CHECKS: RateLimit = { name: 'statement-checks', points: 120, seconds: 60 * 60 };

/**
 * What the records say now about the chain of a statement that we have signed: the entries that the statement should have,
 * and none after them, since its holder may have given the coupon away.
 * @throws AppError rate_limited
 */
export async function checkStatement(
  ctx: Context,
  { statement }: CheckStatementInput,
): Promise<CheckedStatement> {
  await enforceLimit(ctx.limiter, CHECKS, addressKey(ctx.ip));
  const said = statementSchema.safeParse(await verify(ctx, STATEMENT_TYPE, statement)).data;
  if (!said) return { isOurs: false, chain: null };
  const { chain: chainId, length } = said;
  const entries = await entriesOf(ctx, { chainId, length });
  if (!entries) return { isOurs: true, chain: null };
  return { isOurs: true, chain: { entries, inclusion: await inclusionOf(ctx, { chainId, length }) } };
}

async function inclusionOf(
  ctx: Context,
  given: { chainId: string; length: number },
): Promise<Inclusion | null> {
  const found = await store.findInclusion(ctx.db, given);
  if (!found) return null;
  const { day, signature, place, groups } = found;
  return {
    day,
    signature,
    place: place % LEAVES_IN_GROUP,
    leaves: found.chains.map((chain) => leafOf(chain).toString('hex')),
    group: Math.floor(place / LEAVES_IN_GROUP),
    groups: Array.from({ length: groups.length / HASH_BYTES }, (_, at) =>
      groups.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES).toString('hex'),
    ),
  };
}

function toRoot(row: store.RootRow): DailyRoot {
  return { ...factsOf(row), root: row.root.toString('hex'), signature: row.signature };
}

/** Every daily root, the newest first. @throws AppError bad_input on `page` */
export async function listRoots(ctx: Context, paging: Paging): Promise<Page<DailyRoot>> {
  const { rows, ...page } = await store.listRoots(ctx.db, paging);
  return { items: rows.map(toRoot), ...page };
}

/** The open books of the latest daily root. */
export async function openBooks(ctx: Context): Promise<OpenBooks> {
  const latest = await store.findLatestRoot(ctx.db);
  if (!latest) return { figures: null, text: null, root: null };
  return {
    figures: booksFiguresSchema.parse(JSON.parse(latest.books)),
    text: latest.books,
    root: toRoot(latest),
  };
}

export { checkProofs } from './checking.ts';
export { makeRoot } from './roots.ts';
