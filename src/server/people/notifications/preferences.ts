import { timingSafeEqual } from 'node:crypto';
import { t } from '@lingui/core/macro';
import type { NotificationPreference, NotificationType } from '#contract/people/notifications.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { fieldError } from '#server/core/errors.ts';
import {
  allPreferences,
  readUnsubscribeToken,
  type Unsubscription,
  unsubscribeText,
  writeUnsubscribeToken,
} from './rules.ts';
import * as store from './store.ts';

/** The caller's preferences for every kind of news, in the contract's order. */
export async function listPreferences(ctx: MemberContext): Promise<NotificationPreference[]> {
  const chosen = await store.listPreferences(ctx.db, [ctx.actor.id]);
  return allPreferences(
    chosen.map(({ userId: _, daily, ...wish }) => (wish.type === 'want' ? { ...wish, daily } : wish)),
  );
}

/**
 * Stores the caller's preference for one kind of news. Returns all preferences.
 * @throws AppError bad_input (daily mails of another kind than wants)
 */
export async function setPreference(
  ctx: MemberContext,
  wish: NotificationPreference,
): Promise<NotificationPreference[]> {
  if (wish.daily && wish.type !== 'want') {
    throw fieldError('bad_input', 'daily', t`Only wish list emails can come once a day`);
  }
  await store.setPreference(ctx.db, ctx.actor.id, wish);
  return listPreferences(ctx);
}

/** The token for one person and one kind of mail in unsubscribe links; it never expires and allows nothing else. */
export function unsubscribeToken(ctx: Pick<Context, 'vault'>, who: Unsubscription): string {
  return writeUnsubscribeToken(who, ctx.vault.fingerprint(unsubscribeText(who)));
}

/**
 * Unsubscribes by the token of a mailed link, any number of times and without a session. The signature makes guessing
 * hopeless, so there is no rate limit.
 * @throws AppError bad_input that names `token`
 */
export async function unsubscribe(
  ctx: Context,
  { token }: { token: string },
): Promise<{ type: NotificationType }> {
  const said = readUnsubscribeToken(token);
  if (!said || !isSeal(ctx.vault.fingerprint(unsubscribeText(said)), said.seal)) {
    throw fieldError(
      'bad_input',
      'token',
      t`This link does not work. Please open the link in the email again.`,
    );
  }
  await store.endMail(ctx.db, said.userId, said.type);
  return { type: said.type };
}

/** Compares in constant time. */
function isSeal(ours: string, given: string): boolean {
  return ours.length === given.length && timingSafeEqual(Buffer.from(ours), Buffer.from(given));
}
