import { t } from '@lingui/core/macro';
import { initTRPC } from '@trpc/server';
import { TEXTS } from '#contract/base/texts.ts';
import { isRestricted, type UserRole } from '#contract/people/roles.ts';
import type { Actor } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';
import { demandScopes } from '#server/people/api-keys/service.ts';
import type { CallContext } from './context.ts';
import { retryAfterOf, toTrpcError, toWire } from './errors.ts';
import { refuseDuringMaintenance } from './maintenance.ts';
import { DoneBefore } from './once.ts';
import { neededScopes } from './scopes.ts';
import { withStrictInputs } from './strict-inputs.ts';

interface CallMeta {
  /** Whether only people who are signed in may call it, or their programs. */
  readonly isForMembers?: boolean;
  /** One line for the API documentation; every call that REST offers has one. */
  readonly summary?: string;
  /** Whether a query may be answered from a replica. Not where money, deals, codes or permissions depend on it. */
  readonly fromReplica?: boolean;
  /** Whether a query records that the caller has seen something: pages of other sites must not make a browser send it. */
  readonly recordsView?: boolean;
}

const rpc = initTRPC
  .context<CallContext>()
  .meta<CallMeta>()
  .create({
    isDev: false,
    errorFormatter: ({ shape, error, ctx }) => ({
      code: shape.code,
      message: toWire(error).error,
      data: { code: shape.data.code, httpStatus: shape.data.httpStatus, wire: toWire(error, ctx?.requestId) },
    }),
  });

export const { router, mergeRouters } = rpc;

/** The only place where a failure of a domain becomes a status; unexpected failures are logged here. */
const translateErrors = rpc.middleware(async ({ ctx, path, next }) => {
  const result = await next();
  if (result.ok || result.error.cause instanceof DoneBefore) return result;
  const wire = toWire(result.error);
  const err = result.error.cause ?? result.error;
  // An outage or an overload, which many calls share: a short line each.
  if (wire.code === 'unavailable' && retryAfterOf(err))
    ctx.log.warn({ path, reason: reasonOf(err) }, 'a call could not be answered now');
  else if (wire.code === 'internal' || wire.code === 'unavailable')
    ctx.log.error({ err, path }, 'a call failed');
  const { actor, ip } = ctx;
  ctx.deniedRequests.note(result.error.cause, { userId: actor?.id ?? null, ip, call: path });
  throw toTrpcError(result.error);
});

function reasonOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** The only place that keeps people from changing anything during maintenance. */
const checkMaintenance = rpc.middleware(async ({ ctx, path, type, next }) => {
  if (type === 'mutation') refuseDuringMaintenance(ctx, path);
  return next();
});

/** The only place that decides what a key may do. The procedure decides afterwards what its owner may. */
const checkScopes = rpc.middleware(async ({ ctx, path, type, next }) => {
  if (!ctx.apiKey) return next();
  const needed = neededScopes(path, type);
  if (needed === null)
    throw new AppError('forbidden', t`No key can do this. Sign in and do it in your browser.`);
  demandScopes(ctx.apiKey, needed);
  return next();
});

function signedIn(actor: Actor | null): Actor {
  if (!actor) throw new AppError('unauthorized', TEXTS.requests.unauthorized());
  return actor;
}

/** Answers `{ ok: true }` when `act` is done. */
export async function ok(act: Promise<void>): Promise<{ ok: true }> {
  await act;
  return { ok: true };
}

/** The only place that decides which database a call reads. Failed mutations may have written something, too. */
const chooseDatabase = rpc.middleware(async ({ ctx, type, meta, next }) => {
  const { reads } = ctx;
  if (!reads) return next();
  if (meta?.fromReplica) return next({ ctx: { ...ctx, db: reads.db } });
  const result = await next();
  if (type === 'mutation') await reads.noteWrite();
  return result;
});

/** For everybody, signed in or not. */
export const publicProcedure = withStrictInputs(rpc.procedure)
  .use(translateErrors)
  .use(checkMaintenance)
  .use(checkScopes)
  .use(chooseDatabase);

/** Of a call that refuses visitors. */
const forMembers = publicProcedure.meta({ isForMembers: true });

/**
 * For everybody who is signed in, whatever their status: for what people may do to defend what is theirs, also suspended,
 * and banned by their mailed link (decisions 5.2).
 */
export const defenderProcedure = forMembers.use(({ ctx, next }) =>
  next({ ctx: { ...ctx, actor: signedIn(ctx.actor) } }),
);

/** For everybody who is signed in: suspended people may read and change their own settings, banned people read. */
export const memberProcedure = defenderProcedure.use(({ ctx, type, next }) => {
  if (ctx.actor.status === 'banned' && type === 'mutation') throw mayNotAct('banned');
  return next({ ctx });
});

/** For people who are signed in and neither suspended nor banned: for calls that change something for others. */
export const activeMemberProcedure = forMembers.use(({ ctx, next }) => {
  const actor = signedIn(ctx.actor);
  if (isRestricted(actor.status)) throw mayNotAct(actor.status);
  return next({ ctx: { ...ctx, actor } });
});

function mayNotAct(status: 'suspended' | 'banned'): AppError {
  const text =
    status === 'suspended'
      ? t`Your account is suspended. You can still browse, pay for accepted bids, and make and answer claims, but nothing else.`
      : t`Your account is banned. You can still browse, pay for accepted bids, and make and answer claims, but nothing else.`;
  return new AppError('forbidden', text);
}

/** The same, for people with one of these roles; others get 403 (decisions 5.3). */
const roleProcedure = (...roles: readonly UserRole[]) =>
  activeMemberProcedure.use(({ ctx, next }) => {
    if (!roles.includes(ctx.actor.role)) throw new AppError('forbidden', t`Your account cannot do this.`);
    return next({ ctx });
  });

/** For moderators and admins. */
export const moderatorProcedure = roleProcedure('moderator', 'admin');

export const adminProcedure = roleProcedure('admin');
