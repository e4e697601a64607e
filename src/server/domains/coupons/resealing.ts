import { ClosedError } from '#server/core/crypto.ts';
import type { Context } from '../context.ts';
import * as store from './codes-store.ts';
import { codeContext } from './view.ts';

const PORTION = 500;

/** Seals the codes under the newest secret key, a portion at a time. `closed` names those that no key opens. */
export async function* resealCodes(
  ctx: Pick<Context, 'db' | 'vault'>,
): AsyncGenerator<{ resealed: number; closed: string[] }> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const sealed = await store.listSealed(ctx.db, after, PORTION);
    const closed: string[] = [];
    const renewed: store.RenewedCode[] = [];
    for (const { couponId, code } of sealed) {
      try {
        const now = ctx.vault.reseal(code, codeContext(couponId));
        if (now) renewed.push({ couponId, before: code, now });
      } catch (error) {
        if (!(error instanceof ClosedError)) throw error;
        closed.push(`the code of coupon ${couponId}`);
      }
    }
    yield { resealed: await store.replaceSealed(ctx.db, renewed), closed };
    after = sealed.at(-1)?.couponId;
  }
}
