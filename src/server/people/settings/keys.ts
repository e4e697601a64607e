import { randomUUID } from 'node:crypto';
import type { Context } from '#server/context/context.ts';
import { ClosedError, type Vault } from '#server/core/crypto.ts';
import type { Trx } from '#server/database/client.ts';
import * as store from './keys-store.ts';
import type { RunningSettings } from './running.ts';

/*
 * The keys of services that settings name. A setting has only the id of its key, so that its history shows none; each is
 * encrypted, and bound to what it was typed for.
 */

export const settingKeyContext = ({ id, boundTo }: Pick<store.SealedKey, 'id' | 'boundTo'>) =>
  `setting key ${id} ${boundTo}`;

/**
 * Encrypts a key and stores it.
 * @param boundTo what the key is for: it opens for nothing else
 * @returns its id
 */
export async function keepKey(
  trx: Trx,
  { vault, clock }: Pick<Context, 'vault' | 'clock'>,
  { key, boundTo }: { key: string; boundTo: string },
): Promise<string> {
  const id = randomUUID();
  const sealed = vault.seal(key, settingKeyContext({ id, boundTo }));
  await store.insertKey(trx, { id, boundTo, sealed, createdAt: clock() });
  return id;
}

/** The key of this id; null if there is none, it was typed for something else, or no secret key of ours opens it. */
export function openKey(
  vault: Vault,
  settings: Pick<RunningSettings, 'keys'>,
  { id, boundTo }: { id: string; boundTo: string },
): string | null {
  const key = settings.keys().find((each) => each.id === id);
  if (key?.boundTo !== boundTo) return null;
  try {
    return vault.open(key.sealed, settingKeyContext(key));
  } catch (error) {
    if (error instanceof ClosedError) return null;
    throw error;
  }
}
