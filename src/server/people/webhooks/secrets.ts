import { randomBytes } from 'node:crypto';
import type { Context } from '#server/context/context.ts';
import { ClosedError } from '#server/core/crypto.ts';
import * as store from './store.ts';

/** Of a secret: what the specification asks for at most, before its base64. */
const SECRET_BYTES = 32;

const sealContext = (endpointId: number) => `webhook:${endpointId}`;

/** A new secret, as receivers know it, and sealed for the database. */
export function createSecret(
  { vault }: Pick<Context, 'vault'>,
  endpointId: number,
): { secret: string; sealed: Buffer } {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  return { secret, sealed: vault.seal(secret, sealContext(endpointId)) };
}

/**
 * The signatures of Standard Webhooks for one attempt: by the secret, and by the one before it while that is still good.
 * @throws ClosedError where no key opens a secret
 */
export async function signaturesOf(
  { vault }: Pick<Context, 'vault'>,
  { endpointId, eventId, body, secret, oldSecret, oldSecretUntil }: store.ClaimedDelivery,
  at: Date,
): Promise<string> {
  const { Webhook } = await import('standardwebhooks');
  const isOldGood = oldSecret !== null && oldSecretUntil !== null && oldSecretUntil > at;
  const sealed = [secret, ...(isOldGood ? [oldSecret] : [])];
  const sign = (key: Buffer) => new Webhook(vault.open(key, sealContext(endpointId))).sign(eventId, at, body);
  return sealed.map(sign).join(' ');
}

const PORTION = 500;

/** Seals the secrets under the newest secret key, a portion at a time. `closed` names those that no key opens. */
export async function* resealWebhooks({
  db,
  vault,
}: Pick<Context, 'db' | 'vault'>): AsyncGenerator<{ resealed: number; closed: string[] }> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rows = await store.listSealed(db, after, PORTION);
    const closed: string[] = [];
    let resealed = 0;
    for (const { id, ...sealed } of rows) {
      for (const column of ['secret', 'oldSecret'] as const) {
        const before = sealed[column];
        if (before === null) continue;
        try {
          const now = vault.reseal(before, sealContext(id));
          if (now && (await store.replaceSealed(db, { id, column, before, now }))) resealed += 1;
        } catch (error) {
          if (!(error instanceof ClosedError)) throw error;
          closed.push(`the secret of webhook ${id}`);
        }
      }
    }
    yield { resealed, closed };
    after = rows.at(-1)?.id;
  }
}
