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
/** Push services and browsers know an installation by its key pair: another one would end every subscription. */
const PUSH = 'push';
type KeyName = typeof PUSH | typeof FINGERPRINTS;
/** What the keys of the vault are bound to. */
export const vaultKeyContext = (name: string) => `vault-key:${name}`;

/**
 * Opens the vault of an installation. The first start stores the key of its fingerprints.
 * @throws Error where the secret keys are not those of this database
 */
export async function openVault(db: Database, secretKeys: SecretKeys): Promise<Vault> {
  const keys = createVault(secretKeys);
  const sealed =
    (await findKey(db, FINGERPRINTS)) ??
    (await storeKey(db, FINGERPRINTS, keys, fingerprintKeyOf(secretKeys.at(-1) ?? secretKeys[0])));
  try {
    return createVault(secretKeys, keys.openBytes(sealed, vaultKeyContext(FINGERPRINTS)));
  } catch (cause) {
    throw new Error(
      'SECRET_KEY does not fit this database: what is encrypted in it would stay closed. Set the key that it was filled with.',
      { cause },
    );
  }
}

/** The key pair for push services, as `create` writes it. The first start makes and stores it. */
export async function openPushKeys(
  db: Database,
  vault: Vault,
  create: () => Promise<string>,
): Promise<string> {
  const sealed = (await findKey(db, PUSH)) ?? (await storeKey(db, PUSH, vault, Buffer.from(await create())));
  return vault.open(sealed, vaultKeyContext(PUSH));
}

async function findKey(db: Database, name: KeyName): Promise<Buffer | undefined> {
  const query = db.selectFrom('vaultKeys').select('sealed').where('name', '=', name);
  return (await query.executeTakeFirst())?.sealed;
}

async function storeKey(db: Database, name: KeyName, vault: Vault, key: Buffer): Promise<Buffer> {
  const sealed = vault.sealBytes(key, vaultKeyContext(name));
  const row = { name, sealed };
  await db
    .insertInto('vaultKeys')
    .values(row)
    .onConflict((key) => key.doNothing())
    .execute();
  // Another process may have stored one first.
  return (await findKey(db, name)) ?? sealed;
}

/** References of the secret keys that a database needs. After a rotation, that is the newest one alone. */
export async function keysInUse(db: Database, secretKeys: SecretKeys): Promise<string[]> {
  const sealed = await findKey(db, FINGERPRINTS);
  const isRotated =
    sealed !== undefined && createVault(secretKeys).reseal(sealed, vaultKeyContext(FINGERPRINTS)) === null;
  return (isRotated ? secretKeys.slice(0, 1) : secretKeys).map(keyReference);
}

/**
 * What the vault of an installation holds, without adding to it.
 * @returns `fits`: whether the secret keys open it, null before the first start; `hasPushKeys`: whether they open a key
 *   pair for push services
 */
export async function lookAtVault(
  db: Database,
  secretKeys: SecretKeys,
): Promise<{ readonly fits: boolean | null; readonly hasPushKeys: boolean }> {
  const keys = createVault(secretKeys);
  const opens = (name: KeyName, sealed: Buffer | undefined) => {
    try {
      return sealed === undefined ? null : keys.openBytes(sealed, vaultKeyContext(name)).length > 0;
    } catch {
      return false;
    }
  };
  const [fingerprints, push] = await Promise.all([findKey(db, FINGERPRINTS), findKey(db, PUSH)]);
  return { fits: opens(FINGERPRINTS, fingerprints), hasPushKeys: opens(PUSH, push) === true };
}
