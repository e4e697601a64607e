import type { Context } from '#server/context/context.ts';
import { ClosedError } from '#server/core/crypto.ts';
import { CODE_FORM } from '#server/core/fold.ts';
import { codeContext, codeFingerprint } from '#server/coupons/core/service.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import * as store from './code-forms-store.ts';

type Ctx = Pick<Context, 'db' | 'vault' | 'log'>;

const PORTION = 500;

/** A portion's end, null after the last; and how many kept their fingerprint, since its new form is taken. */
interface Made {
  readonly afterId: number | null;
  readonly kept: number;
}

const KINDS = { coupons: makeCoupons, offers: makeOffers } as const satisfies Record<
  store.Kind,
  (trx: Trx, ctx: Ctx, after: number) => Promise<Made>
>;

/**
 * Makes the stored fingerprints of codes in the form of this version, in portions; does nothing where they are. Run it
 * before people are served: otherwise a code in the form before could be listed twice. Where two codes have become one,
 * the older coupon has the new fingerprint, and the other one stays listed as it is.
 */
export async function makeCodeForms(ctx: Ctx): Promise<void> {
  for (const [kind, make] of Object.entries(KINDS) as [store.Kind, (typeof KINDS)[store.Kind]][]) {
    for (let isDone = false; !isDone; ) {
      isDone = await inTransaction(ctx.db, async (trx) => {
        const before = await store.lockProgress(trx, kind);
        const isBegun = before.form === CODE_FORM;
        if (isBegun && before.afterId === null) return true;
        const { afterId, kept } = await make(trx, ctx, (isBegun && before.afterId) || 0);
        if (kept > 0) ctx.log.warn({ kind, kept }, 'codes that are listed twice keep their fingerprints');
        await store.setProgress(trx, kind, { form: CODE_FORM, afterId });
        return afterId === null;
      });
    }
  }
}

async function makeCoupons(trx: Trx, ctx: Ctx, after: number): Promise<Made> {
  const rows = await store.listCoupons(trx, after, PORTION);
  const made = rows.flatMap((row) => {
    const now = fingerprintOf(ctx, row);
    return now === null || now === row.before ? [] : [{ ...row, now }];
  });
  const held = await store.listHeld(trx, made);
  const owners = new Map(
    held.flatMap(({ kind, hash, ownerId }) => (kind === 'owned' ? [[hash, ownerId]] : [])),
  );
  const taken = new Set(
    held.map(({ kind, hash, ownerId }) => (kind === 'imported' ? `${ownerId} ${hash}` : `${kind} ${hash}`)),
  );
  const changes = made.filter(({ now, ownerId, isActive, isPersonal }) => {
    if (!isActive && !isPersonal) return true;
    if (!isPersonal && (owners.get(now) ?? ownerId) !== ownerId) return false;
    const place = isPersonal ? `${ownerId} ${now}` : `listed ${now}`;
    if (taken.has(place)) return false;
    taken.add(place);
    return true;
  });
  if (changes.length > 0) await store.changeCoupons(trx, changes);
  return { afterId: endOf(rows), kept: made.length - changes.length };
}

/** What no key opens keeps its fingerprint. */
function fingerprintOf(
  { vault }: Ctx,
  { id, merchant, code }: { id: number; merchant: string; code: Buffer },
): string | null {
  try {
    return codeFingerprint(vault, merchant, vault.open(code, codeContext(id)));
  } catch (error) {
    if (error instanceof ClosedError) return null;
    throw error;
  }
}

/** Of two offers that have become one, the older stays. */
async function makeOffers(trx: Trx, ctx: Ctx, after: number): Promise<Made> {
  const rows = await store.listOffers(trx, after, PORTION);
  const made = rows
    .map((row) => ({ ...row, now: codeFingerprint(ctx.vault, row.merchant, row.code) }))
    .filter(({ before, now }) => before !== now);
  const offered = new Set(
    await store.listOffered(
      trx,
      made.map(({ now }) => now),
    ),
  );
  const second: number[] = [];
  const changes = made.filter(({ id, now }) => {
    const isFirst = !offered.has(now);
    offered.add(now);
    if (!isFirst) second.push(id);
    return isFirst;
  });
  await store.deleteOffers(trx, second);
  if (changes.length > 0) await store.changeOffers(trx, changes);
  return { afterId: endOf(rows), kept: 0 };
}

function endOf(rows: readonly { readonly id: number }[]): number | null {
  return rows.length < PORTION ? null : (rows.at(-1)?.id ?? null);
}
