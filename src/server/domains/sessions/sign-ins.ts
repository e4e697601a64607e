import { SIGN_INS_KEPT_DAYS, type SignIn } from '#contract/accounts.ts';
import { addDays } from '#server/core/clock.ts';
import type { Trx } from '#server/database/client.ts';
import type { Context, MemberContext } from '../context.ts';
import { queueAccountMail } from '../notifications/service.ts';
import { deviceName } from './device-name.ts';
import { endSession, type SessionToken, startSession } from './service.ts';
import * as store from './sign-ins-store.ts';

const LISTED_AT_MOST = 20;

/**
 * Signs somebody in: ends the session that the browser came with, starts a new one, and writes it into the history. A
 * sign-in in a browser that the account does not know is told by mail.
 * @param isNewBrowser false at the registration: that browser is the first one that the account knows
 */
export async function signIn(
  trx: Trx,
  ctx: Context,
  given: { userId: number; isNewBrowser: boolean; previousToken: string | null },
): Promise<SessionToken> {
  const { userId, isNewBrowser, previousToken } = given;
  const { userAgent } = ctx;
  const at = ctx.clock();
  if (previousToken) await endSession(trx, previousToken);
  await store.insertSignIn(trx, { userId, userAgent, isNewBrowser, createdAt: at });
  if (isNewBrowser) {
    const body = `${deviceName(userAgent)}, on ${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC`;
    await queueAccountMail(trx, { kind: 'new_browser', userId, address: null, body, at });
  }
  return startSession(trx, ctx.clock, userId, userAgent, isNewBrowser);
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
