import type { Context } from '#server/context/context.ts';
import { ClosedError } from '#server/core/crypto.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import * as store from './keys-store.ts';

/** ECDSA on P-256: every browser's WebCrypto checks it. */
const ALGORITHM = 'ES256';

/** Within a transaction its own connection: another one might wait for it. */
type Reader = { readonly db: Context['db'] | Trx };
type Ctx = Reader & Pick<Context, 'vault'>;

const contextOf = (id: string) => `proof-key:${id}`;

/** A new key pair, the private part sealed. Its id is the thumbprint of the public part (RFC 7638). */
async function createKey({ vault }: Pick<Ctx, 'vault'>) {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose');
  const pair = await generateKeyPair(ALGORITHM, { extractable: true });
  const { kty = '', crv = '', x = '', y = '' } = await exportJWK(pair.publicKey);
  const publicKey = { kty, crv, x, y };
  const id = await calculateJwkThumbprint(publicKey);
  return {
    id,
    publicKey,
    sealed: vault.seal(JSON.stringify(await exportJWK(pair.privateKey)), contextOf(id)),
  };
}

/** Signs a payload with the key of this installation; the first call makes one. @returns a JWS in its compact form */
export async function sign(ctx: Ctx, type: string, payload: object): Promise<string> {
  const { CompactSign, importJWK } = await import('jose');
  let key = await store.findSigningKey(ctx.db);
  if (!key) {
    await store.insertKey(ctx.db, await createKey(ctx));
    key = await store.findSigningKey(ctx.db);
  }
  if (!key) throw new Error('There is no key that signs');
  const jwk = JSON.parse(ctx.vault.open(key.sealed, contextOf(key.id)));
  return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: ALGORITHM, typ: type, kid: key.id })
    .sign(await importJWK(jwk, ALGORITHM));
}

/** The payload of what a key of this installation has signed as this type; null for everything else. */
export async function verify(ctx: Reader, type: string, jws: string): Promise<unknown> {
  const { compactVerify, errors, importJWK } = await import('jose');
  const keys = new Map((await store.listPublicKeys(ctx.db)).map(({ id, publicKey }) => [id, publicKey]));
  try {
    const { payload, protectedHeader } = await compactVerify(
      jws,
      ({ kid }) => {
        const key = keys.get(kid ?? '');
        if (!key) throw new errors.JWSSignatureVerificationFailed();
        return importJWK({ ...key }, ALGORITHM);
      },
      { algorithms: [ALGORITHM] },
    );
    return protectedHeader.typ === type ? JSON.parse(new TextDecoder().decode(payload)) : null;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A public key in the set that `/.well-known/jwks.json` publishes. */
export interface PublishedKey extends store.PublicKey {
  readonly kid: string;
  readonly alg: string;
  readonly use: 'sig';
}

/** Every key that has ever signed: what an old one has signed stays valid. */
export async function publishedKeys(ctx: Reader): Promise<PublishedKey[]> {
  const keys = await store.listPublicKeys(ctx.db);
  return keys.map(({ id, publicKey: { kty, crv, x, y } }) => ({
    ...{ kty, crv, x, y },
    ...{ kid: id, alg: ALGORITHM, use: 'sig' },
  }));
}

/**
 * Replaces the key that signs if it is sealed under an older secret key: whoever has that one could sign as well.
 * `closed` says that no key opens it.
 */
export async function* renewSigningKey(
  ctx: Pick<Context, 'db' | 'vault'>,
): AsyncGenerator<{ resealed: number; closed: string[] }> {
  const key = await store.findSigningKey(ctx.db);
  if (!key) return;
  try {
    if (ctx.vault.reseal(key.sealed, contextOf(key.id)) === null) return;
  } catch (error) {
    if (!(error instanceof ClosedError)) throw error;
    yield { resealed: 0, closed: ['the key that signs statements'] };
    return;
  }
  const next = await createKey(ctx);
  const isRenewed = await inTransaction(ctx.db, async (trx) => {
    const isRetired = await store.retireKey(trx, key.id);
    if (isRetired) await store.insertKey(trx, next);
    return isRetired;
  });
  yield { resealed: isRenewed ? 1 : 0, closed: [] };
}
