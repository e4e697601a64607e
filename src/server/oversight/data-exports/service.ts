import { randomBytes } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { toLanguage } from '#contract/base/i18n.ts';
import { paths } from '#contract/base/pages.ts';
import {
  DATA_EXPORT_HOURS,
  type DataExport,
  type RequestDataExportInput,
} from '#contract/oversight/data-exports.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addHours } from '#server/core/clock.ts';
import { ClosedError } from '#server/core/crypto.ts';
import { AppError } from '#server/core/errors.ts';
import { inLanguage } from '#server/core/language.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction, refuseDuplicate, type Trx } from '#server/database/client.ts';
import { checkPasskey, checkPassword, enforceSecondFactor } from '#server/people/accounts/service.ts';
import { queueAccountMail, recordLog } from '#server/people/notifications/service.ts';
import { removeDiscarded, unavailableOnFailure } from '#server/people/pictures/service.ts';
import { ACCOUNT_HISTORY } from '#server/texts/people.ts';
import { writeArchive } from './archive.ts';
import * as store from './store.ts';

const REQUESTS: RateLimit = {
  name: 'data-exports',
  text: () => t`You have asked for several copies today.`,
  points: 3,
  seconds: 24 * 60 * 60,
};
/** Parts that a person can read: about ten times the largest archive that we expect. */
const PARTS_READ: RateLimit = { name: 'data-export-parts', points: 2_000, seconds: 60 * 60 };

/** How large the parts are in which the storage has an archive, before they are sealed. */
const PART_BYTES = 4 * 1024 * 1024;
const ATTEMPTS_MAX = 5;
const RETRY_HOURS = 0.25;
/** Longer than all attempts take. */
const GIVEN_UP_HOURS = 48;

/** The caller’s copy, and whether it can be downloaded. */
export async function latestExport(ctx: MemberContext): Promise<DataExport> {
  const row = await store.findExport(ctx.db, ctx.actor.id);
  const endsAt = row?.readyAt ? addHours(row.readyAt, DATA_EXPORT_HOURS) : null;
  if (!row || (endsAt && endsAt <= ctx.clock()))
    return { state: 'none', hasCodes: false, requestedAt: null, endsAt: null, size: null };
  const unfinished = row.failedAt ? 'failed' : 'making';
  return {
    state: endsAt ? 'ready' : unfinished,
    hasCodes: row.hasCodes,
    requestedAt: row.requestedAt.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
    size: row.size,
  };
}

/**
 * Asks for a copy of all that is stored about the caller. A job makes it and mails them. It replaces the one before.
 * @param browser the token of the browser that the passkey was asked from
 * @throws AppError conflict (one is being made), rate_limited; with codes also bad_input on confirmPassword,
 *   second_factor_required
 */
export async function requestExport(
  ctx: MemberContext,
  { hasCodes, confirmPassword = '', passkey }: RequestDataExportInput,
  browser: string | null = null,
): Promise<DataExport> {
  if (hasCodes) {
    if (passkey) await checkPasskey(ctx, passkey, browser);
    else await checkPassword(ctx, confirmPassword, 'confirmPassword');
    await enforceSecondFactor(ctx, 'always');
  }
  if ((await latestExport(ctx)).state === 'making') throw beingMade();
  await enforceLimit(ctx.limiter, REQUESTS, String(ctx.actor.id));
  const userId = ctx.actor.id;
  const at = ctx.clock();
  await inTransaction(ctx.db, async (trx) => {
    const id = randomBytes(16).toString('base64url');
    const inserted = store.insertExport(trx, { id, userId, hasCodes, at });
    await refuseDuplicate(inserted, 'data_exports_one_each', beingMade);
    const details = hasCodes ? ACCOUNT_HISTORY.exportWithCodes() : ACCOUNT_HISTORY.export();
    await recordLog(trx, { userId, actorId: userId, action: 'profile', details, at });
  });
  return latestExport(ctx);
}

function beingMade(): AppError {
  return new AppError('conflict', t`Your copy is already being made. We email you when it is ready.`);
}

/**
 * A part of the caller’s finished archive, in bytes.
 * @returns with the number of parts and the size of the whole
 * @throws AppError not_found (none is ready, or it has no such part), second_factor_required (of one with codes),
 *   rate_limited, unavailable
 */
export async function readPart(
  ctx: MemberContext,
  { part }: { part: number },
): Promise<{ bytes: Buffer; parts: number; size: number }> {
  const row = await store.findExport(ctx.db, ctx.actor.id);
  const { id, readyAt, parts = 0, size } = row ?? {};
  const isReady = readyAt && addHours(readyAt, DATA_EXPORT_HOURS) > ctx.clock();
  if (!id || !isReady || !size || part >= parts) throw gone();
  if (row?.hasCodes) await enforceSecondFactor(ctx, 'always');
  await enforceLimit(ctx.limiter, PARTS_READ, String(ctx.actor.id));
  const sealed = await unavailableOnFailure(ctx.providers.storage.get(fileName(id, part)));
  if (!sealed) throw gone();
  try {
    return { bytes: ctx.vault.openBytes(sealed, fileContext(id, part)), parts, size };
  } catch (error) {
    // The secret key was rotated since.
    if (error instanceof ClosedError) throw gone();
    throw error;
  }
}

function gone(): AppError {
  return new AppError('not_found', t`There is no copy to download. Ask for a new one.`);
}

const fileName = (id: string, part: number) => `${id}-${part}`;
const fileContext = (id: string, part: number) => `data-export:${id}:${part}`;

/** Makes the copies that people have asked for, one after the other. @returns how many are ready */
export async function makeExports(ctx: Context, signal?: AbortSignal): Promise<number> {
  let ready = 0;
  while (!signal?.aborted) {
    const at = ctx.clock();
    const asked = await store.takeWaiting(ctx.db, { at, retryAt: addHours(at, RETRY_HOURS) });
    if (!asked) break;
    try {
      const size = await inLanguage(toLanguage(asked.language ?? ''), () => storeArchive(ctx, asked));
      if (size !== null && (await finish(ctx, { ...asked, size }))) ready += 1;
    } catch (error) {
      ctx.log.error({ err: error, userId: asked.userId }, 'a copy of somebody’s data could not be made');
      if (asked.attempts >= ATTEMPTS_MAX) await store.markFailed(ctx.db, asked.id, ctx.clock());
    }
  }
  return ready;
}

/** @returns its size in bytes; null where nobody wants it any more */
async function storeArchive(
  ctx: Context,
  asked: { id: string; userId: number; hasCodes: boolean },
): Promise<number | null> {
  let [size, part] = [0, 0];
  for await (const bytes of inParts(writeArchive(ctx, asked))) {
    if (!(await store.noteParts(ctx.db, asked.id, part + 1))) return null;
    const sealed = ctx.vault.sealBytes(bytes, fileContext(asked.id, part));
    await ctx.providers.storage.put(fileName(asked.id, part), sealed);
    size += bytes.length;
    part += 1;
  }
  return size;
}

async function* inParts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let [waiting, length] = [[] as Uint8Array[], 0];
  for await (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length < PART_BYTES) continue;
    yield Buffer.concat(waiting);
    [waiting, length] = [[], 0];
  }
  yield Buffer.concat(waiting);
}

async function finish(
  ctx: Context,
  { id, userId, size }: { id: string; userId: number; size: number },
): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    const at = ctx.clock();
    if (!(await store.markReady(trx, { id, size, at }))) return false;
    const link = paths.settings('your-data');
    await queueAccountMail(trx, { kind: 'data_export', userId, address: null, link, at });
    return true;
  });
}

/** Discards the copy of a person who leaves. */
export async function forgetExports(trx: Trx, userId: number, at: Date): Promise<void> {
  await store.discardOf(trx, userId, at);
}

const FILES = {
  portion: 20,
  listDiscarded: async (db: Context['db'], given: { after: string; limit: number }) =>
    (await store.listDiscarded(db, given)).map(({ id, parts }) => ({
      id,
      files: Array.from({ length: parts }, (_, part) => fileName(id, part)),
    })),
  deleteDiscarded: store.deleteDiscarded,
};

/** Removes copies that can no longer be downloaded. */
export async function cleanUpExports(ctx: Context): Promise<void> {
  const at = ctx.clock();
  await store.discardPast(ctx.db, {
    readyBefore: addHours(at, -DATA_EXPORT_HOURS),
    requestedBefore: addHours(at, -GIVEN_UP_HOURS),
    at,
  });
  await removeDiscarded(ctx, FILES);
}
