import { t } from '@lingui/core/macro';
import { TEXTS } from '#contract/base/texts.ts';
import type { PushSettings, QuietHours, SubscribePushInput } from '#contract/people/push.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction, isUnknownParameter } from '#server/database/client.ts';
import { deviceName } from '#server/people/sessions/service.ts';
import { TEST_PUSH_TEXTS } from '#server/texts/mails.ts';
import { TEST_LINK } from './payload.ts';
import * as store from './store.ts';

const TESTS: RateLimit = { name: 'push-tests', points: 5, seconds: 600, text: () => t`Too many tests.` };

/** The caller's browsers that get pushes, and their quiet hours. `token` is the session that asks. */
export async function pushSettings(ctx: MemberContext, token: string | null): Promise<PushSettings> {
  const browsers = await store.listSubscriptions(ctx.db, ctx.actor.id, token ?? '');
  return {
    publicKey: ctx.providers.push.publicKey,
    browsers: browsers.map(({ userAgent, createdAt, lastUsedAt, ...rest }) => ({
      ...rest,
      device: deviceName(userAgent),
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
    quietHours: await store.findQuietHours(ctx.db, ctx.actor.id),
  };
}

/**
 * Makes the browser of the session `token` get the caller's pushes, until that session ends.
 * @throws AppError bad_input on an address that is no push service's, unauthorized when the session has ended
 */
export async function subscribe(
  ctx: MemberContext,
  { endpoint, keys }: SubscribePushInput,
  token: string | null,
): Promise<void> {
  if (!ctx.providers.push.isPushService(endpoint))
    throw fieldError('bad_input', 'endpoint', t`Is not the address of a push service we know`);
  const given = { userId: ctx.actor.id, token: token ?? '', endpoint, ...keys, at: ctx.clock() };
  const isStored = await inTransaction(ctx.db, (trx) => store.putSubscription(trx, given));
  // It has ended since it was looked up.
  if (!isStored) throw new AppError('unauthorized', TEXTS.requests.unauthorized());
}

/** Ends the pushes to one of the caller's browsers. @throws AppError not_found if the caller has no such browser */
export async function removeBrowser(ctx: MemberContext, id: number): Promise<void> {
  const isOwn = await store.deleteSubscription(ctx.db, ctx.actor.id, id);
  if (!isOwn) throw notFound(t`Browser not found`);
}

/** Stores the hours in which the caller gets no push; null for none. @throws AppError bad_input on an unknown time zone */
export async function setQuietHours(ctx: MemberContext, quietHours: QuietHours | null): Promise<void> {
  const given = { userId: ctx.actor.id, quietHours, at: ctx.clock() };
  try {
    await inTransaction(ctx.db, (trx) => store.putQuietHours(trx, given));
  } catch (error) {
    // PostgreSQL has a list of its own.
    if (!isUnknownParameter(error)) throw error;
    throw fieldError('bad_input', 'quietHours.timeZone', t`Is not a time zone we know`);
  }
}

/**
 * Sends a push to each of the caller's browsers, also in quiet hours.
 * @throws AppError conflict without a browser, rate_limited
 */
export async function sendTest(ctx: MemberContext): Promise<void> {
  await enforceLimit(ctx.limiter, TESTS, String(ctx.actor.id));
  const given = { userId: ctx.actor.id, title: TEST_PUSH_TEXTS.title(), link: TEST_LINK, at: ctx.clock() };
  const queued = await store.queueForAll(ctx.db, given);
  if (queued === 0) throw new AppError('conflict', t`None of your browsers gets push notifications.`);
}

export { sendWaitingPushes } from './sending.ts';
