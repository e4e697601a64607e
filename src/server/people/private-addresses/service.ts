import { randomUUID } from 'node:crypto';
import type { Context, MemberContext } from '#server/context/context.ts';
import { sha256 } from '#server/core/crypto.ts';
import type { Database, Trx } from '#server/database/client.ts';
import * as store from './store.ts';

/** The digits of an address's token; before the @ of a mail address there is room for 64 characters. */
const TOKEN_DIGITS = { calendar: 64, mail: 32 } as const;

/** Stored is only the key: the address can be shown again, and nobody can make it from the database alone. */
const tokenOf = (ctx: Context, kind: store.AddressKind, key: string) =>
  ctx.vault.fingerprint(`${kind}:${key}`).slice(0, TOKEN_DIGITS[kind]);

/** The token of the caller's address; null if they have none. */
export async function ownToken(ctx: MemberContext, kind: store.AddressKind): Promise<string | null> {
  const found = await store.findAddress(ctx.db, ctx.actor.id, kind);
  return found ? tokenOf(ctx, kind, found.key) : null;
}

/** Gives the caller a new address. The old one stops working at once. @returns its token */
export async function renewToken(ctx: MemberContext, kind: store.AddressKind): Promise<string> {
  const key = randomUUID();
  const token = tokenOf(ctx, kind, key);
  const address = { key, tokenHash: sha256(token), createdAt: ctx.clock() };
  await store.putAddress(ctx.db, { userId: ctx.actor.id, kind, ...address });
  return token;
}

/** Ends the caller's address; may be repeated. */
export async function removeToken(ctx: MemberContext, kind: store.AddressKind): Promise<void> {
  await store.deleteAddresses(ctx.db, ctx.actor.id, kind);
}

/** When the address of a person's calendar was made; null: they have none. */
export async function calendarSince(db: Database | Trx, userId: number): Promise<Date | null> {
  return (await store.findAddress(db, userId, 'calendar'))?.createdAt ?? null;
}

/** Ends a person's address, if they have one. */
export async function endAddress(db: Database | Trx, userId: number, kind: store.AddressKind): Promise<void> {
  await store.deleteAddresses(db, userId, kind);
}

/** Ends the addresses of a person who leaves. */
export async function forgetPrivateAddresses(trx: Trx, userId: number): Promise<void> {
  await store.deleteAddresses(trx, userId, null);
}

/** Whose address has this token; undefined if it is nobody's, or of somebody who is banned or deleted. */
export async function ownerOfToken(
  db: Database,
  kind: store.AddressKind,
  token: string,
): Promise<{ userId: number; language: string } | undefined> {
  return store.findOwner(db, kind, sha256(token));
}
