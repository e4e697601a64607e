import type { Context } from '#server/context/context.ts';
import type { Database, Trx } from '#server/database/client.ts';
import * as store from './store.ts';

/** What other providers than the one in use are called by: their host. */
export function nameOfIssuer({ providers: { openId } }: Pick<Context, 'providers'>, issuer: string): string {
  if (issuer === openId?.issuer) return openId.name;
  return URL.canParse(issuer) ? new URL(issuer).host : issuer;
}

/** The names of the providers that a person has linked, and since when. */
export async function listLinked(
  db: Database | Trx,
  ctx: Context,
  userId: number,
): Promise<{ name: string; createdAt: Date }[]> {
  const rows = await store.listOf(db, userId);
  return rows.map(({ issuer, createdAt }) => ({ name: nameOfIssuer(ctx, issuer), createdAt }));
}

/** Whether the provider in use signs a person in. */
export async function isLinked(trx: Trx, { providers }: Context, userId: number): Promise<boolean> {
  return (await store.listOf(trx, userId)).some(({ issuer }) => issuer === providers.openId?.issuer);
}

/** No provider signs the person in any more. */
export const unlinkAll = store.removeAllOf;
