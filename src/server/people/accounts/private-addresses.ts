import { randomUUID } from 'node:crypto';
import type { Context, MemberContext } from '#server/context/context.ts';
import { sha256 } from '#server/core/crypto.ts';
import type { Database, Trx } from '#server/database/client.ts';

/** The digits of an address's token; before the @ of a mail address there is room for 64 characters. */
const TOKEN_DIGITS = { calendar: 64, mail: 32 } as const;

/** What an address is for. A person has at most one of each kind. */
type AddressKind = keyof typeof TOKEN_DIGITS;

/** Stored is only the key: the address can be shown again, and nobody can make it from the database alone. */
const tokenOf = (ctx: Context, kind: AddressKind, key: string) =>
  ctx.vault.fingerprint(`${kind}:${key}`).slice(0, TOKEN_DIGITS[kind]);

/** The token of the caller's address; null if they have none. */
export async function ownToken(ctx: MemberContext, kind: AddressKind): Promise<string | null> {
  const found = await ctx.db
    .selectFrom('privateAddresses')
    .select('key')
    .where('userId', '=', ctx.actor.id)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return found ? tokenOf(ctx, kind, found.key) : null;
}

/** Gives the caller a new address. The old one stops working at once. @returns its token */
export async function renewToken(ctx: MemberContext, kind: AddressKind): Promise<string> {
  const key = randomUUID();
  const token = tokenOf(ctx, kind, key);
  const address = { key, tokenHash: sha256(token), createdAt: ctx.clock() };
  await ctx.db
    .insertInto('privateAddresses')
    .values({ userId: ctx.actor.id, kind, ...address })
    .onConflict((conflict) => conflict.columns(['userId', 'kind']).doUpdateSet(address))
    .execute();
  return token;
}

/** Ends the caller's address; may be repeated. */
export async function removeToken(ctx: MemberContext, kind: AddressKind): Promise<void> {
  await endAddress(ctx.db, ctx.actor.id, kind);
}

/** When the address of a person's calendar was made; null: they have none. */
export async function calendarSince(db: Database | Trx, userId: number): Promise<Date | null> {
  const found = await db
    .selectFrom('privateAddresses')
    .select('createdAt')
    .where('userId', '=', userId)
    .where('kind', '=', 'calendar')
    .executeTakeFirst();
  return found?.createdAt ?? null;
}

/** Ends a person's address, if they have one. */
export async function endAddress(db: Database | Trx, userId: number, kind: AddressKind): Promise<void> {
  await db.deleteFrom('privateAddresses').where('userId', '=', userId).where('kind', '=', kind).execute();
}

/** Ends the addresses of a person who leaves. */
export async function forgetPrivateAddresses(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('privateAddresses').where('userId', '=', userId).execute();
}

/** Whose address has this token; undefined if it is nobody's, or of somebody who is banned or deleted. */
export async function ownerOfToken(
  db: Database,
  kind: AddressKind,
  token: string,
): Promise<{ userId: number; language: string } | undefined> {
  return db
    .selectFrom('privateAddresses')
    .innerJoin('users', 'users.id', 'privateAddresses.userId')
    .select(['userId', 'users.language'])
    .where('tokenHash', '=', sha256(token))
    .where('kind', '=', kind)
    .where('users.status', '!=', 'banned')
    .where('users.deletedAt', 'is', null)
    .executeTakeFirst();
}
