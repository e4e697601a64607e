import {
  createVault,
  fingerprintKeyOf,
  keyReference,
  type SecretKeys,
  type Vault,
} from '#server/core/crypto.ts';
import type { Database } from './client.ts';

/**
 * The key of fingerprints stays the first secret key's: many fingerprints are of texts that are not kept, and two keys
 * at once would not recognise a duplicate.
 */
const FINGERPRINTS = 'fingerprints';
const context = `vault-key:${FINGERPRINTS}`;

/**
 * Opens the vault of an installation. The first start stores the key of its fingerprints.
 * @throws Error where the secret keys are not those of this database
 */
export async function openVault(db: Database, secretKeys: SecretKeys): Promise<Vault> {
  const keys = createVault(secretKeys);
  const sealed = (await findKey(db)) ?? (await storeKey(db, keys, secretKeys));
  try {
    return createVault(secretKeys, keys.openBytes(sealed, context));
  } catch (cause) {
    throw new Error(
      'SECRET_KEY does not fit this database: what is encrypted in it would stay closed. Set the key that it was filled with.',
      { cause },
    );
  }
}

async function findKey(db: Database): Promise<Buffer | undefined> {
  const query = db.selectFrom('vaultKeys').select('sealed').where('name', '=', FINGERPRINTS);
  return (await query.executeTakeFirst())?.sealed;
}

async function storeKey(db: Database, keys: Vault, secretKeys: SecretKeys): Promise<Buffer> {
  const sealed = keys.sealBytes(fingerprintKeyOf(secretKeys.at(-1) ?? secretKeys[0]), context);
  const row = { name: FINGERPRINTS, sealed };
  await db
    .insertInto('vaultKeys')
    .values(row)
    .onConflict((key) => key.doNothing())
    .execute();
  // Another process may have stored one first.
  return (await findKey(db)) ?? sealed;
}

/** Seals the vault's own keys under the newest secret key. This ends a rotation, because it comes last. */
export async function resealVaultKeys(db: Database, vault: Vault): Promise<void> {
  const sealed = await findKey(db);
  const renewed = sealed && vault.reseal(sealed, context);
  if (renewed)
    await db.updateTable('vaultKeys').set({ sealed: renewed }).where('name', '=', FINGERPRINTS).execute();
}

/** References of the secret keys that a database needs. After a rotation, that is the newest one alone. */
export async function keysInUse(db: Database, secretKeys: SecretKeys): Promise<string[]> {
  const sealed = await findKey(db);
  const isRotated = sealed !== undefined && createVault(secretKeys).reseal(sealed, context) === null;
  return (isRotated ? secretKeys.slice(0, 1) : secretKeys).map(keyReference);
}
