import { randomBytes } from 'node:crypto';
import type { Context } from '#server/context/context.ts';
import type * as store from './store.ts';

/** Of a secret: what the specification asks for at most, before its base64. */
const SECRET_BYTES = 32;

/** What secrets are bound to. */
export const webhookContext = (endpointId: number) => `webhook:${endpointId}`;

/** A new secret, as receivers know it, and sealed for the database. */
export function createSecret(
  { vault }: Pick<Context, 'vault'>,
  endpointId: number,
): { secret: string; sealed: Buffer } {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  return { secret, sealed: vault.seal(secret, webhookContext(endpointId)) };
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
  const sign = (key: Buffer) =>
    new Webhook(vault.open(key, webhookContext(endpointId))).sign(eventId, at, body);
  return sealed.map(sign).join(' ');
}
