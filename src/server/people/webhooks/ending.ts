import type { Database, Trx } from '#server/database/client.ts';
import * as store from './store.ts';

/** An address that is sent to. */
interface ActiveWebhook {
  readonly host: string;
  readonly createdAt: Date;
}

/** The addresses of a person that are on. */
export async function activeWebhooks(db: Database | Trx, userId: number): Promise<ActiveWebhook[]> {
  const rows = await store.listEndpoints(db, userId);
  return rows
    .filter(({ disabledAt }) => disabledAt === null)
    .map(({ url, createdAt }) => ({ host: new URL(url).host, createdAt }));
}

/** Switches off all addresses of a person, until they switch them on again. */
export const switchWebhooksOff = store.disableAll;

/** The addresses of a person that a key of theirs has added, by the id of the key. */
export async function webhooksByKey(db: Database, userId: number): Promise<Map<number, string[]>> {
  const urls = new Map<number, string[]>();
  for (const { keyId, url } of await store.listEndpoints(db, userId))
    if (keyId !== null) urls.set(keyId, [...(urls.get(keyId) ?? []), url]);
  return urls;
}

/** Removes what one of a person's keys has added. */
export const removeWebhooksOfKey = store.deleteEndpointsOfKey;
