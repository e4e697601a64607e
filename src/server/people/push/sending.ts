import { toLanguage } from '#contract/base/i18n.ts';
import type { Context } from '#server/context/context.ts';
import { runAtOnce } from '#server/core/at-once.ts';
import { addHours, addSeconds } from '#server/core/clock.ts';
import { inLanguage } from '#server/core/language.ts';
import { PushDeferred, PushGone, PushRefused } from '#server/providers/push/push.ts';
import { read } from '#server/texts/reading.ts';
import { payloadOf, urgencyOf } from './payload.ts';
import * as store from './store.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds to wait after each attempt; the length is the number of attempts. Each is longer than an attempt can take. */
const PUSH_BACK_OFF: readonly number[] = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR];

/** Older news is not sent: whoever was away that long reads it on the site. */
const PUSH_HOURS = 24;

/** How many pushes are sent at the same time. */
const AT_ONCE = 4;
/** A topic is at most so long (RFC 8030 section 5.4). */
const TOPIC_LENGTH = 32;

/**
 * Sends the pushes that are due, up to AT_ONCE at the same time. Those of people in their quiet hours wait until the end
 * of these; what was read meanwhile, or is a day old, is dropped. Two processes never send the same push; after a crash
 * between sending and marking it is sent again, and takes the place of the first on the screen. Where the push service says
 * when to try again, that is not done before. A browser that it no longer knows is removed.
 * @param signal stops early, after the pushes that are being sent
 */
export async function sendWaitingPushes(
  ctx: Context,
  signal?: AbortSignal,
): Promise<{ sent: number; failed: number }> {
  const now = ctx.clock();
  await store.dropStale(ctx.db, now, addHours(now, -PUSH_HOURS));
  await store.putOffQuiet(ctx.db, now);
  const counts = { sent: 0, failed: 0 };
  await runAtOnce(AT_ONCE, async () => {
    while (!signal?.aborted) {
      const push = await store.claimNext(ctx.db, { now, backOff: PUSH_BACK_OFF });
      if (!push) return;
      counts[await sendOne(ctx, push)] += 1;
    }
  });
  return counts;
}

async function sendOne(ctx: Context, push: store.ClaimedPush): Promise<'sent' | 'failed'> {
  const age = (ctx.clock().getTime() - push.createdAt.getTime()) / 1_000;
  try {
    await ctx.providers.push.send(push, {
      payload: JSON.stringify(inLanguage(toLanguage(push.language), () => payloadOf(inWords(ctx, push)))),
      ttlSeconds: Math.max(0, Math.round(PUSH_HOURS * 3_600 - age)),
      urgency: urgencyOf(push.type),
      // Keyed: the push service must not find out which page it is.
      topic: ctx.vault.fingerprint(`push-topic:${push.subscriptionId}:${push.link}`).slice(0, TOPIC_LENGTH),
    });
  } catch (error) {
    await noteFailure(ctx, push, error);
    return 'failed';
  }
  await store.endPush(ctx.db, push, ctx.clock());
  return 'sent';
}

/** With its title in the language that is spoken right now. */
function inWords(ctx: Context, push: store.ClaimedPush): store.ClaimedPush {
  return { ...push, title: read(ctx, push.text, push.title) };
}

async function noteFailure(ctx: Context, push: store.ClaimedPush, error: unknown): Promise<void> {
  const { id, subscriptionId, attempts } = push;
  if (error instanceof PushGone) {
    ctx.log.info({ subscriptionId, reason: error.message }, 'a browser gets no more pushes');
    return store.dropSubscription(ctx.db, subscriptionId);
  }
  const isKnown = error instanceof PushRefused || error instanceof PushDeferred;
  const isLast = error instanceof PushRefused || attempts >= PUSH_BACK_OFF.length;
  // Messages of other errors may contain an address.
  const reason = isKnown ? error.message : error instanceof Error ? error.name : 'unknown';
  ctx.log.warn({ pushId: id, attempts, reason, isLast }, 'a push was not sent');
  if (isLast) await store.endPush(ctx.db, push, null);
  if (error instanceof PushDeferred && error.retryAfter !== null)
    await store.putOff(ctx.db, id, addSeconds(ctx.clock(), error.retryAfter));
}
