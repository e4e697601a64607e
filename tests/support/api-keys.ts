import { API_SCOPES, type ApiScope, STAFF_GROUPS } from '#contract/people/api-keys.ts';
import type { Actor, Context } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { sha256 } from '#server/core/crypto.ts';
import { inTransaction } from '#server/database/client.ts';
import { insert } from '#server/people/api-keys/store.ts';
import { makeToken } from '#server/people/api-keys/tokens.ts';

/** The scopes that somebody of this role may choose; for a moderator none of an admin's. */
export function scopesFor({ role }: Pick<Actor, 'role'>): ApiScope[] {
  if (role === 'admin') return [...API_SCOPES];
  const closed = role === 'user' ? STAFF_GROUPS : (['admin'] as const);
  return API_SCOPES.filter((scope) => !closed.some((group) => scope.startsWith(`${group}:`)));
}

/** Gives a person a key, by default for all they may choose, that works for a month. @returns its id and the key itself */
export async function createApiKey(
  ctx: Context,
  person: Pick<Actor, 'id' | 'role'>,
  { scopes = scopesFor(person), name = 'Robot' }: { scopes?: readonly ApiScope[]; name?: string } = {},
): Promise<{ id: number; token: string; header: { authorization: string } }> {
  const token = makeToken();
  const at = ctx.clock();
  const row = {
    userId: person.id,
    name,
    tokenHash: sha256(token),
    hint: token.slice(-4),
    scopes: [...scopes],
    createdAt: at,
    expiresAt: addDays(at, 30),
  };
  const { id } = await inTransaction(ctx.db, (trx) => insert(trx, row));
  return { id, token, header: { authorization: `Bearer ${token}` } };
}
