import { t } from '@lingui/core/macro';
import type { MemberContext } from '#server/context/context.ts';
import { type AppError, fieldError, notFound } from '#server/core/errors.ts';
import type { Trx } from '#server/database/client.ts';
import { keepKey, openKey } from '#server/people/settings/service.ts';
import { SourceProblem } from './composing.ts';

/** Runs what may find that something typed is no source. @throws AppError bad_input, at the field of `form` */
export function checking<Result>(form: 'feed' | 'validator', act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof SourceProblem)) throw error;
    const path = error.field === 'key' ? 'key' : `${form}.${error.field}`;
    throw fieldError('bad_input', path, error.message);
  }
}

/** What was typed as a key: null takes it away, nothing keeps the one before. */
interface TypedKey {
  readonly key: string | null | undefined;
  readonly before: { readonly keyId: string | null } | undefined;
  readonly boundTo: string;
}

/**
 * The key that holds with what was typed.
 * @throws AppError bad_input where the one before was typed for another request
 */
export function keyFor(ctx: MemberContext, { key, before, boundTo }: TypedKey): string | null {
  if (key !== undefined) return key;
  if (!before?.keyId) return null;
  const kept = openKey(ctx.vault, ctx.settings, { id: before.keyId, boundTo });
  if (kept === null)
    throw fieldError(
      'bad_input',
      'key',
      t`Type the key again: it was typed for another address or other settings.`,
    );
  return kept;
}

/** Stores a key that was typed. @returns the id of the key that holds */
export async function keepTyped(
  trx: Trx,
  ctx: MemberContext,
  { key, before, boundTo }: TypedKey,
): Promise<string | null> {
  if (key === undefined) return before?.keyId ?? null;
  return key === null ? null : keepKey(trx, ctx, { key, boundTo });
}

/**
 * Puts one of a list in the place of the one with its name, or at the end.
 * @throws AppError bad_input (the name is taken), not_found (there is none of this name)
 */
export function put<Item extends { readonly name: string }>(
  list: readonly Item[],
  item: Item,
  { form, isNew }: { form: 'feed' | 'validator'; isNew: boolean },
): Item[] {
  const place = list.findIndex(({ name }) => name === item.name);
  if (isNew && place >= 0) throw fieldError('bad_input', `${form}.name`, t`This name is taken.`);
  if (!isNew && place < 0) throw gone();
  return isNew ? [...list, item] : list.with(place, item);
}

/** @throws AppError not_found */
export function without<Item extends { readonly name: string }>(list: readonly Item[], name: string): Item[] {
  const rest = list.filter((item) => item.name !== name);
  if (rest.length === list.length) throw gone();
  return rest;
}

function gone(): AppError {
  return notFound(t`It has since been removed.`);
}
