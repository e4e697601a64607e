import { timingSafeEqual } from 'node:crypto';
import type { NotificationPreference, NotificationType } from '#contract/notifications.ts';
import { fieldError } from '#server/core/errors.ts';
import type { Context, MemberContext } from '../context.ts';
import {
  allPreferences,
  readUnsubscribeToken,
  type Unsubscription,
  unsubscribeText,
  writeUnsubscribeToken,
} from './rules.ts';
import * as store from './store.ts';

/** What the caller wants to be told of, and how: every kind of news, in the contract's order. */
export async function listPreferences(ctx: MemberContext): Promise<NotificationPreference[]> {
  const chosen = await store.listPreferences(ctx.db, [ctx.actor.id]);
  return allPreferences(chosen.map(({ type, inApp, mail }) => ({ type, inApp, mail })));
}

/** Says what the caller wants of one kind of news from now on. Answers with every kind. */
export async function setPreference(
  ctx: MemberContext,
  wish: NotificationPreference,
): Promise<NotificationPreference[]> {
  await store.setPreference(ctx.db, ctx.actor.id, wish);
  return listPreferences(ctx);
}

/** The token of the link by which one person ends one kind of mail; it works for ever, and for nothing else. */
export function unsubscribeToken(ctx: Pick<Context, 'vault'>, who: Unsubscription): string {
  return writeUnsubscribeToken(who, ctx.vault.fingerprint(unsubscribeText(who)));
}

/**
 * Ends the kind of mail that the token of a mailed link names, however often; nobody need be signed in. Guessing is
 * hopeless against the seal, so that nothing is counted.
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
      'This link does not work. Please open the link in the mail once more.',
    );
  }
  await store.endMail(ctx.db, said.userId, said.type);
  return { type: said.type };
}

/** Compares in a time that tells nothing. */
function isSeal(ours: string, given: string): boolean {
  return ours.length === given.length && timingSafeEqual(Buffer.from(ours), Buffer.from(given));
}
