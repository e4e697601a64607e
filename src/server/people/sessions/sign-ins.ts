import { isIP } from 'node:net';
import { SIGN_INS_KEPT_DAYS, type SignIn } from '#contract/people/accounts.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { addressKey } from '#server/core/rate-limit.ts';
import type { Trx } from '#server/database/client.ts';
import { queueAccountMail } from '#server/people/notifications/service.ts';
import { NEW_BROWSER_TEXTS } from '#server/texts/people.ts';
import { deviceName, deviceText } from './device-name.ts';
import { endSession, type SessionToken, startSession } from './sessions.ts';
import * as store from './store.ts';

const LISTED_AT_MOST = 20;

/**
 * Signs somebody in: ends the session that the browser came with, starts a new one, and writes it into the history. A
 * sign-in in a browser that the account does not know is told by mail.
 * @param given.isNewBrowser false at the registration: that browser is the first one that the account knows
 * @param given.peopleInBrowser whose accounts have been used in it: deals between them count for nothing
 */
export async function signIn(
  trx: Trx,
  ctx: Context,
  given: {
    userId: number;
    isNewBrowser: boolean;
    previousToken: string | null;
    peopleInBrowser: readonly number[];
  },
): Promise<SessionToken> {
  const { userId, isNewBrowser, previousToken, peopleInBrowser } = given;
  const { userAgent } = ctx;
  const at = ctx.clock();
  if (previousToken) await endSession(trx, previousToken);
  await store.insertSignIn(trx, {
    userId,
    userAgent,
    isNewBrowser,
    networkHash: networkHash(ctx),
    createdAt: at,
  });
  const others = peopleInBrowser.filter((id) => id !== userId);
  if (others.length > 0) await store.noteSharedBrowser(trx, userId, others);
  if (isNewBrowser) {
    const body = NEW_BROWSER_TEXTS.signedIn({ device: deviceText(userAgent), at: at.toISOString() });
    await queueAccountMail(trx, { kind: 'new_browser', userId, address: null, body, at });
  }
  return startSession(trx, ctx.clock, userId, userAgent, isNewBrowser);
}

/** Null for programs and this machine itself: a proxy that we do not know of would make everybody one. */
function networkHash({ ip, vault }: Context): string | null {
  const network = addressKey(ip);
  const isKnown = isIP(ip) > 0 && !/^127\.|^0:0:0:0::/.test(network);
  return isKnown ? vault.fingerprint(`network ${network}`) : null;
}

/** The caller's latest sign-ins, the newest first. */
export async function listSignIns(ctx: MemberContext): Promise<SignIn[]> {
  const rows = await store.listSignIns(ctx.db, ctx.actor.id, LISTED_AT_MOST);
  return rows.map(({ id, userAgent, isNewBrowser, createdAt }) => ({
    id,
    device: deviceName(userAgent),
    isNewBrowser,
    createdAt: createdAt.toISOString(),
  }));
}

/** Removes sign-ins that are no longer kept; a job calls it. */
export async function removeOldSignIns(ctx: Context): Promise<void> {
  await store.deleteSignInsBefore(ctx.db, addDays(ctx.clock(), -SIGN_INS_KEPT_DAYS));
}

export const forgetSignInsOf = store.deleteSignInsOf;
