import { apiScopeSchema } from '#contract/people/api-keys.ts';
import type { Database, Trx } from '#server/database/client.ts';

interface NewClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: string[];
}

export async function insertClient(db: Database, client: NewClient, at: Date): Promise<void> {
  await db
    .insertInto('oauthClients')
    .values({ ...client, createdAt: at })
    .execute();
}

export function findClient(db: Database | Trx, id: string) {
  return db
    .selectFrom('oauthClients')
    .select(['id', 'name', 'redirectUris'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Ends what a person has allowed this client before. */
export async function removeConsents(trx: Trx, userId: number, clientId: string): Promise<void> {
  await trx.deleteFrom('apiKeys').where('userId', '=', userId).where('clientId', '=', clientId).execute();
}

interface NewCode {
  readonly codeHash: string;
  readonly keyId: number;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly expiresAt: Date;
}

export async function insertCode(trx: Trx, code: NewCode): Promise<void> {
  await trx.insertInto('oauthCodes').values(code).execute();
}

/** Locks a code, with what it was made for. */
export async function lockCode(trx: Trx, codeHash: string) {
  const row = await trx
    .selectFrom('oauthCodes as code')
    .innerJoin('apiKeys as key', 'key.id', 'code.keyId')
    .select(['code.keyId', 'code.redirectUri', 'code.challenge', 'code.expiresAt', 'code.usedAt'])
    .select(['key.clientId', 'key.scopes', 'key.expiresAt as consentUntil'])
    .where('codeHash', '=', codeHash)
    .forUpdate()
    .executeTakeFirst();
  return row && { ...row, scopes: apiScopeSchema.array().parse(row.scopes) };
}

export async function markCodeUsed(trx: Trx, codeHash: string, at: Date): Promise<void> {
  await trx.updateTable('oauthCodes').set({ usedAt: at }).where('codeHash', '=', codeHash).execute();
}

/** Locks a refresh token, with its consent. */
export async function lockRefreshToken(trx: Trx, tokenHash: string) {
  const row = await trx
    .selectFrom('oauthRefreshTokens as token')
    .innerJoin('apiKeys as key', 'key.id', 'token.keyId')
    .select(['token.keyId', 'token.usedAt'])
    .select(['key.clientId', 'key.scopes', 'key.expiresAt as consentUntil'])
    .where('token.tokenHash', '=', tokenHash)
    .forUpdate()
    .executeTakeFirst();
  return row && { ...row, scopes: apiScopeSchema.array().parse(row.scopes) };
}

export async function markRefreshTokenUsed(trx: Trx, tokenHash: string, at: Date): Promise<void> {
  await trx
    .updateTable('oauthRefreshTokens')
    .set({ usedAt: at })
    .where('tokenHash', '=', tokenHash)
    .execute();
}

/** Gives a consent new tokens; the access token before stops working. */
export async function storeTokens(
  trx: Trx,
  given: { keyId: number; accessHash: string; hint: string; until: Date; refreshHash: string; at: Date },
): Promise<void> {
  const { keyId, accessHash, hint, until, refreshHash, at } = given;
  await trx
    .updateTable('apiKeys')
    .set({ tokenHash: accessHash, hint, tokenUntil: until })
    .where('id', '=', keyId)
    .execute();
  await trx
    .insertInto('oauthRefreshTokens')
    .values({ tokenHash: refreshHash, keyId, createdAt: at })
    .execute();
}

/** Ends a consent with all its tokens. */
export async function removeConsent(trx: Trx, keyId: number): Promise<void> {
  await trx.deleteFrom('apiKeys').where('id', '=', keyId).where('clientId', 'is not', null).execute();
}

/** The consent of a token of either kind; undefined for any other text, and for keys that people make. */
export async function findConsent(trx: Trx, tokenHash: string): Promise<number | undefined> {
  const refresh = await trx
    .selectFrom('oauthRefreshTokens')
    .select('keyId')
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst();
  if (refresh) return refresh.keyId;
  const access = await trx
    .selectFrom('apiKeys')
    .select('id')
    .where('tokenHash', '=', tokenHash)
    .where('clientId', 'is not', null)
    .executeTakeFirst();
  return access?.id;
}

/** Deletes consents whose code was never exchanged, and clients from before then that nobody has connected. */
export async function deleteUnused(db: Database, before: { consents: Date; clients: Date }): Promise<void> {
  await db
    .deleteFrom('apiKeys')
    .where('clientId', 'is not', null)
    .where('tokenUntil', 'is', null)
    .where('createdAt', '<', before.consents)
    .execute();
  await db
    .deleteFrom('oauthClients')
    .where('createdAt', '<', before.clients)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('apiKeys').select('id').whereRef('clientId', '=', 'oauthClients.id'))),
    )
    .execute();
}
