import { randomUUID } from 'node:crypto';
import { t } from '@lingui/core/macro';
import type { ExposureEntry } from '#contract/oversight/proof-lines.ts';
import {
  EXPOSURES_SHOWN,
  type Exposure,
  STATEMENT_ENTRIES_MAX,
  STATEMENT_TYPE,
  type Statement,
} from '#contract/oversight/proofs.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { earliest } from '#server/core/clock.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { sign } from './keys.ts';
import * as store from './store.ts';

const STATEMENTS: RateLimit = { name: 'statements', points: 60, seconds: 60 * 60 };

/**
 * Who has been shown the present code of a coupon: how many people, and for its owner when. Null where there is no code,
 * or a public one.
 * @throws AppError not_found
 */
export async function exposureOf(ctx: Context, id: number): Promise<Exposure | null> {
  const { ownerId } = await couponById(ctx, id);
  const userId = ctx.actor?.id ?? null;
  const chain = await store.sumUp(ctx.db, { couponId: id, userId });
  if (!chain) return null;
  const { id: chainId, length, you, ...counts } = chain;
  if (ownerId !== userId) return { ...counts, own: null };
  const after = Math.max(0, length - EXPOSURES_SHOWN);
  const entries = await store.listEntries(ctx.db, { chainId, after, limit: EXPOSURES_SHOWN });
  return { ...counts, own: { you, length, entries } };
}

/** The first entries of a chain, as they are now; null if there is no such chain. */
export async function entriesOf(
  ctx: Pick<Context, 'db'>,
  { chainId, length }: { chainId: string; length: number },
): Promise<ExposureEntry[] | null> {
  if (!(await store.chainById(ctx.db, chainId))) return null;
  return store.listEntries(ctx.db, { chainId, limit: length });
}

/** When a coupon came to a person, and when they first got its present code after that; null: never. */
interface ExposedTo {
  readonly handedOverAt: Date;
  readonly shownAt: Date | null;
}

/**
 * Since when a person can have used the present code of a coupon that they got in a deal.
 * @returns null if they had seen it before the coupon came to them, or the code is not the one that came
 */
export async function exposedTo(
  trx: Trx,
  given: { readonly couponId: number; readonly userId: number },
): Promise<ExposedTo | null> {
  const [first, ...later] = await store.listEntriesOfPerson(trx, given);
  if (first?.kind !== 'handed_over') return null;
  return { handedOverAt: first.at, shownAt: earliest(later.map(({ at }) => at)) };
}

/**
 * Signs a statement for the owner of a coupon: who has been shown its present code, as numbers, and when.
 * @returns a JWS in its compact form
 * @throws AppError not_found (also where there is no code), forbidden, conflict (too many entries), rate_limited
 */
export async function issueStatement(ctx: MemberContext, id: number): Promise<{ statement: string }> {
  const { id: userId } = ctx.actor;
  await enforceLimit(ctx.limiter, STATEMENTS, String(userId));
  const at = ctx.clock();
  const payload = await inTransaction(ctx.db, async (trx): Promise<Statement> => {
    const ownerId = await store.lockOwner(trx, id);
    if (ownerId === undefined) throw notFound(t`Coupon not found`);
    if (ownerId !== userId)
      throw new AppError('forbidden', t`Only the owner of a coupon gets a statement about its code.`);
    const chain = await store.findChain(trx, id);
    if (!chain) throw notFound(t`This coupon has no code`);
    const { id: chainId, generation, length, head } = chain;
    if (length > STATEMENT_ENTRIES_MAX)
      throw new AppError('conflict', t`This code was shown too often for a statement.`);
    const entries = await store.listEntries(trx, { chainId, limit: length });
    const person = await store.personOf(trx, chainId, userId);
    const jti = randomUUID();
    await store.insertStatement(trx, { id: jti, chainId, length, head, person: person ?? 0, at });
    return {
      iss: ctx.config.publicUrl,
      iat: Math.floor(at.getTime() / 1_000),
      jti,
      coupon: id,
      generation,
      chain: chainId,
      length,
      head: head.toString('hex'),
      you: person ?? null,
      entries,
    };
  });
  return { statement: await sign(ctx, STATEMENT_TYPE, payload) };
}

export { hashesOf } from './hashes.ts';
export { publishedKeys, renewSigningKey, sign, verify } from './keys.ts';
