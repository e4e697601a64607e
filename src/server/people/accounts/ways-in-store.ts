import type { Database, Trx } from '#server/database/client.ts';

/* What other rooms of this floor keep and what opens an account, or tells others of it: `ways-in.ts` lists and ends it. */

/** The identities at providers of OpenID that open a person's account. */
export function listIdentities(db: Database | Trx, userId: number) {
  return db
    .selectFrom('identities')
    .select(['issuer', 'createdAt'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
}

export async function removeIdentities(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('identities').where('userId', '=', userId).execute();
}

/** The keys of a person that still work, the newest first. */
export function listWorkingKeys(db: Database | Trx, userId: number, at: Date) {
  return db
    .selectFrom('apiKeys')
    .select(['name', 'createdAt'])
    .where('userId', '=', userId)
    .where('expiresAt', '>', at)
    .orderBy('id', 'desc')
    .execute();
}

export async function removeKeys(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('apiKeys').where('userId', '=', userId).execute();
}

/** The addresses of a person's programs that are on. */
export function listActiveWebhooks(db: Database | Trx, userId: number) {
  return db
    .selectFrom('webhookEndpoints')
    .select(['url', 'createdAt'])
    .where('userId', '=', userId)
    .where('disabledAt', 'is', null)
    .orderBy('id')
    .execute();
}

/** Switches off all of a person's addresses that are on. */
export async function switchWebhooksOff(trx: Trx, userId: number, at: Date): Promise<void> {
  await trx
    .updateTable('webhookEndpoints')
    .set({ disabledAt: at })
    .where('userId', '=', userId)
    .where('disabledAt', 'is', null)
    .execute();
}
