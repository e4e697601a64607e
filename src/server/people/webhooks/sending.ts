import { setTimeout as sleep } from 'node:timers/promises';
import { DELIVERIES_KEPT_DAYS, FAILING_DAYS } from '#contract/people/webhooks.ts';
import type { Context } from '#server/context/context.ts';
import { addDays, addSeconds } from '#server/core/clock.ts';
import { ClosedError } from '#server/core/crypto.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { queueAccountMail } from '#server/people/notifications/service.ts';
import type { WebhookAnswer } from '#server/providers/webhooks/webhooks.ts';
import { WEBHOOK_TEXTS } from '#server/texts/people.ts';
import { HELD_SECONDS, nextAttempt, SETTINGS_LINK } from './rules.ts';
import { signaturesOf } from './secrets.ts';
import * as store from './store.ts';

/** How many addresses are sent to at the same time. */
const AT_ONCE = 16;
/** How often we look for what is due. */
const LOOK_EVERY_MS = 2_000;
/** The receiver asks for nothing more to be sent. */
const GONE = 410;

/**
 * Sends what is due: to several addresses at the same time, so that a slow one holds up no other, and to each one thing at
 * a time, over all processes. An address that says when to come back gets nothing before. After a crash between sending and marking, the same is sent again with the same id.
 * @param signal until when it looks for more; without one it ends when nothing is due
 */
export async function sendDeliveries(
  ctx: Context,
  signal?: AbortSignal,
): Promise<{ sent: number; failed: number }> {
  const counts = { sent: 0, failed: 0 };
  const running = new Set<Promise<void>>();
  while (!signal?.aborted) {
    const now = ctx.clock();
    const before = running.size;
    const limit = AT_ONCE - before;
    const claimed =
      limit === 0
        ? []
        : await store.claimDue(ctx.db, { now, heldUntil: addSeconds(now, HELD_SECONDS), limit });
    for (const delivery of claimed) {
      const attempt = sendOne(ctx, delivery)
        .then((isSent) => {
          counts[isSent ? 'sent' : 'failed'] += 1;
        })
        // It is due again when its time with this process is over.
        .catch((err: unknown) => ctx.log.error({ err, delivery: delivery.id }, 'a webhook was not sent'))
        .finally(() => running.delete(attempt));
      running.add(attempt);
    }
    // What has ended meanwhile has left its address to the next one.
    if (claimed.length > 0 || running.size < before) continue;
    if (running.size === 0 && !signal) break;
    await pause(running, signal);
  }
  await Promise.all(running);
  return counts;
}

/** Until an address is free again, or it is time to look for more. */
async function pause(running: ReadonlySet<Promise<void>>, signal: AbortSignal | undefined): Promise<void> {
  const done = new AbortController();
  const ends = signal ? AbortSignal.any([signal, done.signal]) : done.signal;
  await Promise.race([...running, sleep(LOOK_EVERY_MS, undefined, { signal: ends }).catch(() => {})]);
  done.abort();
}

async function sendOne(ctx: Context, delivery: store.ClaimedDelivery): Promise<boolean> {
  const answer = await attempt(ctx, delivery);
  const at = ctx.clock();
  const isSent = answer.problem === null;
  const { retryAfter = 0 } = answer;
  const nextAt = isSent || answer.status === GONE ? null : nextAttempt(delivery.attempts, at, retryAfter);
  const pausedUntil = retryAfter > 0 ? addSeconds(at, retryAfter) : null;
  await inTransaction(ctx.db, async (trx) => {
    const failingSince = await store.endAttempt(trx, delivery, { ...answer, at, nextAt, pausedUntil });
    const isHopeless = nextAt === null && failingSince !== null && failingSince <= addDays(at, -FAILING_DAYS);
    if (answer.status === GONE) await switchOff(trx, delivery, 'gone', at);
    else if (isHopeless) await switchOff(trx, delivery, 'failed', at);
  });
  if (!isSent) {
    const { id, endpointId, attempts } = delivery;
    ctx.log.info({ delivery: id, endpointId, attempts, ...answer }, 'a webhook was not taken');
  }
  return isSent;
}

async function attempt(ctx: Context, delivery: store.ClaimedDelivery): Promise<WebhookAnswer> {
  const at = ctx.clock();
  try {
    const headers = {
      'user-agent': 'Webhooks/1',
      'webhook-id': delivery.eventId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': await signaturesOf(ctx, delivery, at),
    };
    return await ctx.providers.webhooks.send(delivery.url, headers, delivery.body);
  } catch (error) {
    // Nothing goes out without a signature.
    if (!(error instanceof ClosedError)) throw error;
    ctx.log.error({ endpointId: delivery.endpointId }, 'no key opens the secret of a webhook');
    return { status: null, problem: 'not_reached' };
  }
}

async function switchOff(
  trx: Trx,
  { endpointId, userId, url }: store.ClaimedDelivery,
  why: 'failed' | 'gone',
  at: Date,
): Promise<void> {
  if (!(await store.disable(trx, endpointId, at))) return;
  const body = WEBHOOK_TEXTS[why]({ host: new URL(url).host });
  await queueAccountMail(trx, { kind: 'webhook_off', userId, address: null, body, link: SETTINGS_LINK, at });
}

/** Deletes what was sent, or given up, a month ago. */
export async function forgetOldDeliveries(ctx: Context): Promise<void> {
  await store.deleteOld(ctx.db, addDays(ctx.clock(), -DELIVERIES_KEPT_DAYS));
}
