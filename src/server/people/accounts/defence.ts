import { timingSafeEqual } from 'node:crypto';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { Context } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { type AppError, fieldError } from '#server/core/errors.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { stopClock } from '#server/people/clocks/service.ts';
import { queueAccountMail, recordLog } from '#server/people/notifications/service.ts';
import { endSessionsOf, startSession } from '#server/people/sessions/service.ts';
import type { SessionToken } from '#server/people/sessions/sessions.ts';
import { ACCOUNT_HISTORY, DEFENCE_TEXTS } from '#server/texts/people.ts';
import type { StoredText } from '#server/texts/stored.ts';
import { findPersonStatus } from './accounts.ts';

/** For how long a link works, as often as it is needed. */
const LINK_DAYS = 90;

/**
 * Mails a banned person the link with which they can claim and answer claims. Until it has been sent their clock stands
 * still (clock-stops.ts).
 * @param body what the mail says besides
 */
export async function mailDefence(
  trx: Trx,
  { userId, body, at }: { userId: number; body: StoredText; at: Date },
): Promise<void> {
  await stopClock(trx, { userId, cause: 'banned', at });
  await queueAccountMail(trx, {
    kind: 'status_changed',
    userId,
    address: null,
    body,
    link: paths.defend,
    at,
  });
}

/** Tells somebody who is banned, and gets no news, that there is a claim about what they gave. */
export async function mailClaimIfBanned(trx: Trx, userId: number, at: Date): Promise<void> {
  const person = await findPersonStatus(trx, userId);
  if (person?.status !== 'banned' || person.isDeleted) return;
  await mailDefence(trx, { userId, body: DEFENCE_TEXTS.claimed(), at });
}

/** The path of a person's link. The seal proves that we have made it, so it is not stored. */
export function defencePath(ctx: Pick<Context, 'vault' | 'clock'>, userId: number): string {
  const said = `${userId}.${Math.floor(addDays(ctx.clock(), LINK_DAYS).getTime() / 1_000)}`;
  return paths.mailed('defend', `${said}.${sealOf(ctx, said)}`);
}

function defenceOver(): AppError {
  return fieldError('bad_input', 'token', TEXTS.settings.defenceOver(), { kind: 'link' });
}

function sealOf({ vault }: Pick<Context, 'vault'>, said: string): string {
  return vault.fingerprint(`defend ${said}`);
}

/**
 * Signs a banned person in by their mailed link: to read, and to defend what is theirs. Ends when the ban does.
 * @throws AppError bad_input on `token`: it is not ours or has expired, or they are not banned
 */
export async function startDefence(ctx: Context, { token }: { token: string }): Promise<SessionToken> {
  const [id = '', expires = '', seal = ''] = token.split('.');
  const ours = Buffer.from(sealOf(ctx, `${id}.${expires}`));
  const given = Buffer.from(seal);
  if (ours.length !== given.length || !timingSafeEqual(ours, given)) throw defenceOver();
  const at = ctx.clock();
  if (Number(expires) * 1_000 <= at.getTime()) throw defenceOver();
  const userId = Number(id);
  return inTransaction(ctx.db, async (trx) => {
    const person = await findPersonStatus(trx, userId);
    if (person?.status !== 'banned' || person.isDeleted) throw defenceOver();
    // One at a time: whoever opens the link last.
    await endSessionsOf(trx, userId);
    const details = ACCOUNT_HISTORY.signedInByDefenceLink();
    await recordLog(trx, { userId, actorId: userId, action: 'login', details, at });
    return startSession(trx, ctx.clock, userId, ctx.userAgent, true, true);
  });
}
