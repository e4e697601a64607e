import { randomUUID } from 'node:crypto';
import { t } from '@lingui/core/macro';
import type { Page } from '#contract/base/primitives.ts';
import {
  type CreateWebhookInput,
  type Delivery,
  type ListDeliveriesInput,
  OLD_SECRET_HOURS,
  type SendAgainInput,
  TEST_EVENT,
  type UpdateWebhookInput,
  WEBHOOKS_MAX,
  type Webhook,
  type WebhookSecret,
} from '#contract/people/webhooks.ts';
import type { MemberContext } from '#server/context/context.ts';
import { addHours, addSeconds } from '#server/core/clock.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { demandScopes, holdKey } from '#server/people/api-keys/service.ts';
import { queueAccountMail, recordLog } from '#server/people/notifications/service.ts';
import { WEBHOOK_CHANGES } from '#server/texts/people.ts';
import { ADDRESS_PROBLEMS, HELD_SECONDS, scopesOfEvents } from './rules.ts';
import { createSecret } from './secrets.ts';
import * as store from './store.ts';

/** Naming an address makes us look its host up. */
const CHANGES: RateLimit = { name: 'webhook-changes', points: 60, seconds: 3_600 };
const TESTS: RateLimit = { name: 'webhook-tests', points: 10, seconds: 600, text: () => t`Too many tests.` };
const REPEATS: RateLimit = { name: 'webhook-repeats', points: 60, seconds: 600 };

/** The caller's addresses, in the order in which they were added. */
export async function listWebhooks(ctx: MemberContext): Promise<Webhook[]> {
  const now = ctx.clock();
  return (await store.listEndpoints(ctx.db, ctx.actor.id)).map((row) => toWebhook(row, now));
}

/**
 * Adds an address, and mails its owner. The answer alone has its secret.
 * @throws AppError bad_input (url), forbidden (all events, for others than admins; a key without the scopes of its events),
 *   conflict (too many), rate_limited
 */
export async function createWebhook(
  ctx: MemberContext,
  { url, events, isForAll }: CreateWebhookInput,
): Promise<WebhookSecret> {
  const { id: userId } = ctx.actor;
  if (isForAll) checkForAll(ctx);
  checkScopes(ctx, events);
  await enforceLimit(ctx.limiter, CHANGES, String(userId));
  await checkAddress(ctx, url);
  return inTransaction(ctx.db, async (trx) => {
    const keyId = ctx.apiKey?.id ?? null;
    if (keyId !== null) await holdKey(trx, keyId);
    if ((await store.countLocked(trx, userId)) >= WEBHOOKS_MAX)
      throw new AppError('conflict', t`You have ${WEBHOOKS_MAX} addresses already. Remove one first.`);
    const id = await store.nextId(trx);
    const { secret, sealed } = createSecret(ctx, id);
    const createdAt = ctx.clock();
    await store.insertEndpoint(trx, { id, userId, url, secret: sealed, events, isForAll, keyId, createdAt });
    await tellOwner(trx, ctx, 'added', url);
    return { id, secret };
  });
}

async function checkAddress(ctx: MemberContext, url: string): Promise<void> {
  const problem = await ctx.providers.webhooks.problemOf(url);
  if (problem !== null) throw fieldError('bad_input', 'url', ADDRESS_PROBLEMS[problem]());
}

/**
 * Changes an address, or switches it on or off. Switched on, it counts as never having failed. The owner gets a mail when
 * something goes to another address.
 * @throws AppError bad_input (url), forbidden (a key without the scopes of its events), not_found, rate_limited
 */
export async function updateWebhook(
  ctx: MemberContext,
  { id, url, events, isOn }: UpdateWebhookInput,
): Promise<Webhook> {
  const { id: userId } = ctx.actor;
  await enforceLimit(ctx.limiter, CHANGES, String(userId));
  const known = await findOwn(ctx, id);
  if (events) checkScopes(ctx, events);
  const isMoved = url !== undefined && url !== known.url;
  if (isMoved) await checkAddress(ctx, url);
  const change = {
    url: url ?? known.url,
    ...(events && { events }),
    ...(isOn === true && { disabledAt: null, failingSince: null }),
    ...(isOn === false && { disabledAt: known.disabledAt ?? ctx.clock() }),
  };
  const row = await inTransaction(ctx.db, async (trx) => {
    if (isMoved) await tellOwner(trx, ctx, 'moved', url);
    if (isMoved || isOn) await store.endPause(trx, id, heldUntil(ctx));
    return store.updateEndpoint(trx, { userId, id }, change);
  });
  if (!row) throw unknown();
  return toWebhook(row, ctx.clock());
}

/** Removes one of the caller's addresses, with what it was sent. @throws AppError not_found */
export async function removeWebhook(ctx: MemberContext, id: number): Promise<void> {
  if (!(await store.deleteEndpoint(ctx.db, ctx.actor.id, id))) throw unknown();
}

/**
 * Gives an address a new secret; the old one signs beside it for OLD_SECRET_HOURS. The owner gets a mail.
 * @throws AppError forbidden (a key without the scopes of its events), not_found, rate_limited
 */
export async function renewSecret(ctx: MemberContext, id: number): Promise<WebhookSecret> {
  const { id: userId } = ctx.actor;
  await enforceLimit(ctx.limiter, CHANGES, String(userId));
  const known = await findOwn(ctx, id);
  const { secret, sealed } = createSecret(ctx, id);
  const change = {
    secret: sealed,
    oldSecret: known.secret,
    oldSecretUntil: addHours(ctx.clock(), OLD_SECRET_HOURS),
  };
  await inTransaction(ctx.db, async (trx) => {
    if (!(await store.updateEndpoint(trx, { userId, id }, change))) throw unknown();
    await tellOwner(trx, ctx, 'renewed', known.url);
  });
  return { id, secret };
}

/** What one of the caller's addresses was and will be sent, the newest first. @throws AppError not_found, bad_input (page) */
export async function listDeliveries(
  ctx: MemberContext,
  { id, ...paging }: ListDeliveriesInput,
): Promise<Page<Delivery>> {
  await findOwn(ctx, id);
  const { rows, ...page } = await store.listDeliveries(ctx.db, id, paging);
  const items = rows.map(({ createdAt, deliveredAt, nextAt, ...rest }) => ({
    ...rest,
    createdAt: createdAt.toISOString(),
    deliveredAt: deliveredAt?.toISOString() ?? null,
    nextAt: nextAt?.toISOString() ?? null,
  }));
  return { items, ...page };
}

/** Sends a test to one of the caller's addresses, also where it has asked for a pause. @throws AppError not_found, conflict (it is off), rate_limited */
export async function sendTest(ctx: MemberContext, id: number): Promise<void> {
  await enforceLimit(ctx.limiter, TESTS, String(ctx.actor.id));
  await findOn(ctx, id);
  const at = ctx.clock();
  const payload = { type: TEST_EVENT, timestamp: at.toISOString(), data: { endpointId: id } };
  const eventId = `msg_${randomUUID()}`;
  await store.insertDelivery(ctx.db, { endpointId: id, eventId, type: TEST_EVENT, payload, at });
  await store.endPause(ctx.db, id, heldUntil(ctx));
}

/** Sends something again, with the same id, also where the address has asked for a pause. @throws AppError not_found, conflict (the address is off), rate_limited */
export async function sendAgain(ctx: MemberContext, { id, deliveryId }: SendAgainInput): Promise<void> {
  await enforceLimit(ctx.limiter, REPEATS, String(ctx.actor.id));
  await findOn(ctx, id);
  const isKnown = await store.restartDelivery(ctx.db, { endpointId: id, id: deliveryId, at: ctx.clock() });
  if (!isKnown) throw notFound(t`There is nothing to send again`);
  await store.endPause(ctx.db, id, heldUntil(ctx));
}

/** Until when a process that has just taken an address has it for itself: what is longer is a pause. */
const heldUntil = ({ clock }: MemberContext): Date => addSeconds(clock(), HELD_SECONDS);

/** Ends the addresses of a person who leaves. */
export async function forgetWebhooks(trx: Trx, userId: number): Promise<void> {
  await store.deleteEndpointsOf(trx, userId);
}

async function findOn(ctx: MemberContext, id: number): Promise<void> {
  const { disabledAt } = await findOwn(ctx, id);
  if (disabledAt) throw new AppError('conflict', t`This address is off. Switch it on first.`);
}

/** Of those for everybody, only admins see more than that they have them. */
async function findOwn(ctx: MemberContext, id: number): Promise<store.EndpointRow> {
  const row = await store.findEndpoint(ctx.db, ctx.actor.id, id);
  if (!row) throw unknown();
  if (row.isForAll) checkForAll(ctx);
  checkScopes(ctx, row.events);
  return row;
}

/** Writes a change into the owner's history, and mails it to them. */
async function tellOwner(
  trx: Trx,
  ctx: MemberContext,
  what: keyof typeof WEBHOOK_CHANGES,
  url: string,
): Promise<void> {
  const { id: userId } = ctx.actor;
  const at = ctx.clock();
  const { host } = new URL(url);
  const [details, body] = [WEBHOOK_CHANGES[what].history({ host }), WEBHOOK_CHANGES[what].mail({ host })];
  await recordLog(trx, { userId, actorId: userId, action: 'profile', details, at });
  await queueAccountMail(trx, { kind: 'webhook', userId, address: null, body, at });
}

/** A key has nothing sent that it may not read. */
function checkScopes({ apiKey }: MemberContext, events: readonly string[]): void {
  if (apiKey) demandScopes(apiKey, scopesOfEvents(events));
}

/** The events of everybody are for admins, and for those of their programs that may read what admins read. */
function checkForAll({ actor, apiKey }: MemberContext): void {
  if (actor.role !== 'admin') throw new AppError('forbidden', t`Only admins get the events of everyone.`);
  if (apiKey && !apiKey.scopes.includes('admin:read'))
    throw new AppError('forbidden', t`A key gets the events of everyone only with the scope admin:read.`);
}

function unknown(): AppError {
  return notFound(t`Webhook not found`);
}

function toWebhook(row: store.EndpointRow, now: Date): Webhook {
  const { id, url, events, isForAll, createdAt, failingSince, disabledAt, oldSecretUntil } = row;
  const isOldGood = oldSecretUntil !== null && oldSecretUntil > now;
  return {
    id,
    url,
    events,
    isForAll,
    createdAt: createdAt.toISOString(),
    failingSince: failingSince?.toISOString() ?? null,
    disabledAt: disabledAt?.toISOString() ?? null,
    oldSecretUntil: isOldGood ? oldSecretUntil.toISOString() : null,
  };
}

export { webhookContext } from './secrets.ts';
export { forgetOldDeliveries, sendDeliveries } from './sending.ts';
