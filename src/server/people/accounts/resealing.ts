import type { Context } from '#server/context/context.ts';
import { ClosedError } from '#server/core/crypto.ts';
import { sealContext } from './second-factor.ts';
import * as store from './second-factor-store.ts';

const PORTION = 500;

/**
 * Seals the keys of authenticator apps under the newest secret key, a portion at a time. `closed` names those that no
 * key opens.
 */
export async function* resealSecondFactors({
  db,
  vault,
}: Pick<Context, 'db' | 'vault'>): AsyncGenerator<{ resealed: number; closed: string[] }> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const sealed = await store.listSealed(db, after, PORTION);
    const closed: string[] = [];
    let resealed = 0;
    for (const { userId, secret } of sealed) {
      try {
        const now = vault.reseal(secret, sealContext(userId));
        if (now && (await store.replaceSecret(db, { userId, before: secret, now }))) resealed += 1;
      } catch (error) {
        if (!(error instanceof ClosedError)) throw error;
        closed.push(`the second factor of user ${userId}`);
      }
    }
    yield { resealed, closed };
    after = sealed.at(-1)?.userId;
  }
}
