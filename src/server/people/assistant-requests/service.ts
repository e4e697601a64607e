import { t } from '@lingui/core/macro';
import { paths } from '#contract/base/pages.ts';
import {
  type AskInput,
  type AssistantRequest,
  type ConfirmRequestInput,
  isMessage,
  REQUEST_MINUTES,
  REQUESTS_AT_MOST,
} from '#contract/people/assistant-requests.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction } from '#server/database/client.ts';
import { demandScopes, holdKey } from '#server/people/api-keys/service.ts';
import { notify } from '#server/people/notifications/service.ts';
import { ASSISTANT_TEXTS } from '#server/texts/assistants.ts';
import { ACTS, type ActCall, stateAt } from './rules.ts';
import * as store from './store.ts';

const ASKED: RateLimit = {
  name: 'assistant-requests',
  points: 60,
  seconds: 3_600,
  text: () => t`Your programs ask for too much.`,
};

/** How long a request is kept, in days. */
const KEPT_DAYS = 1;

/**
 * Asks the person to do something, and notifies them with a link to the page on which they confirm or decline it.
 * @throws AppError forbidden (the key has not the scope of the act), bad_input on `message`, rate_limited, conflict (too many
 *   requests wait)
 */
export async function ask(
  ctx: MemberContext,
  { act, subjectId, message }: AskInput,
): Promise<AssistantRequest> {
  if (ctx.apiKey) demandScopes(ctx.apiKey, [ACTS[act].scope]);
  if (isMessage(act) !== (message !== undefined))
    throw fieldError(
      'bad_input',
      'message',
      isMessage(act) ? t`Give the message that is to be sent` : t`Only a message has a text`,
    );
  const userId = ctx.actor.id;
  await enforceLimit(ctx.limiter, ASKED, String(userId));
  const program = ctx.apiKey?.name ?? ctx.actor.username;
  return inTransaction(ctx.db, async (trx) => {
    await store.lockPerson(trx, userId);
    if (ctx.apiKey) await holdKey(trx, ctx.apiKey.id);
    const at = ctx.clock();
    if ((await store.countWaiting(trx, userId, at)) >= REQUESTS_AT_MOST)
      throw new AppError('conflict', t`${REQUESTS_AT_MOST} requests wait for an answer already.`);
    const row = await store.insert(trx, {
      userId,
      keyId: ctx.apiKey?.id ?? null,
      program,
      act,
      subjectId,
      message: message ?? null,
      createdAt: at,
      expiresAt: new Date(at.getTime() + REQUEST_MINUTES * 60_000),
    });
    await notify(trx, {
      userId,
      type: 'other',
      content: ASSISTANT_TEXTS[act]({ program }),
      relatedId: null,
      link: paths.assistantRequest(row.id),
      at,
    });
    return toRequest(row, at);
  });
}

/** A request of the caller's; a program knows of its own alone. @throws AppError not_found */
export async function requestById(ctx: MemberContext, id: number): Promise<AssistantRequest> {
  const row = await store.find(ctx.db, { id, userId: ctx.actor.id });
  if (!row || (ctx.apiKey && ctx.apiKey.id !== row.keyId)) throw notFound(t`Request not found`);
  return toRequest(row, ctx.clock());
}

/**
 * Confirms a request of the caller's, and does its act as the caller. A request is confirmed once. Where its act is refused,
 * it waits on: the person may give what is missing. Where nobody knows what came of the act, it does not.
 * @param doAct makes the call with all its own checks; `isRefused` says whether an error means that nothing was done
 * @throws AppError not_found, conflict (it has expired, or was decided before); what `doAct` throws
 */
export async function confirmRequest(
  ctx: MemberContext,
  { id, seen }: ConfirmRequestInput,
  {
    doAct,
    isRefused,
  }: { doAct: (call: ActCall) => Promise<unknown>; isRefused: (error: unknown) => boolean },
): Promise<AssistantRequest> {
  const row = await decide(ctx, id, 'confirmed');
  const call = ACTS[row.act].call?.(row, seen);
  if (call) {
    try {
      await doAct(call);
    } catch (error) {
      if (isRefused(error)) await store.giveBack(ctx.db, id);
      throw error;
    }
  }
  return toRequest(row, ctx.clock());
}

/** Declines a request of the caller's. @throws AppError not_found, conflict (it has expired, or was decided before) */
export async function declineRequest(ctx: MemberContext, id: number): Promise<AssistantRequest> {
  return toRequest(await decide(ctx, id, 'declined'), ctx.clock());
}

async function decide(
  ctx: MemberContext,
  id: number,
  state: 'confirmed' | 'declined',
): Promise<store.RequestRow> {
  const row = await store.decide(ctx.db, { id, userId: ctx.actor.id, state, at: ctx.clock() });
  if (row) return row;
  switch ((await requestById(ctx, id)).state) {
    case 'confirmed':
      throw new AppError('conflict', t`You have confirmed this already.`);
    case 'declined':
      throw new AppError('conflict', t`You have declined this already.`);
    default:
      throw new AppError('conflict', t`This request has expired. Your assistant can ask again.`);
  }
}

/** Forgets the requests of the days before. */
export async function forgetOldRequests({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await store.deleteOld(db, addDays(clock(), -KEPT_DAYS));
}

function toRequest({ keyId: _, createdAt, expiresAt, ...row }: store.RequestRow, at: Date): AssistantRequest {
  return {
    ...row,
    state: stateAt({ state: row.state, expiresAt }, at),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
