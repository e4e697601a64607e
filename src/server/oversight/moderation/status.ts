import { t } from '@lingui/core/macro';
import { paths } from '#contract/base/pages.ts';
import type { Page } from '#contract/base/primitives.ts';
import type { RowOutcomes } from '#contract/base/tables.ts';
import type {
  AdminUser,
  ListUsersInput,
  SetUserStatusesInput,
  SetUserStatusInput,
  UserRows,
} from '#contract/oversight/moderation.ts';
import type { UserStatus } from '#contract/people/accounts.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { announce } from '#server/database/live.ts';
import { endKeysOf, mailDefence, setStatusOf } from '#server/people/accounts/service.ts';
import { refuseOwnCase } from '#server/people/audit/own-cases-sql.ts';
import { audit } from '#server/people/audit/service.ts';
import { resumeClock, stopClock } from '#server/people/clocks/service.ts';
import { notify, queueAccountMail } from '#server/people/notifications/service.ts';
import { endSessionsOf } from '#server/people/sessions/service.ts';
import { STATUS_TEXTS } from '#server/texts/oversight.ts';
import { applyStatusEffects } from './effects.ts';
import { judgeStatusChange } from './rules.ts';
import { forSeveral } from './several.ts';
import * as store from './store.ts';

/**
 * Lists people for admins; `search` matches parts of names and addresses, '#12' and
 * the address of a coupon's page whoever has that coupon.
 * @throws AppError bad_input on `page` beyond the counted rows
 */
export async function listUsers(
  ctx: MemberContext,
  { page, limit, ...filters }: ListUsersInput,
): Promise<Page<AdminUser>> {
  const { rows, ...rest } = await store.listPeople(ctx.db, filters, { page, limit });
  return { items: rows.map(toAdminUser), ...rest };
}

/** The same people for an export, in portions of up to 1,000. */
export async function userRows(
  ctx: MemberContext,
  { page, limit, ...filters }: ListUsersInput,
): Promise<UserRows> {
  const { rows, nextCursor } = await store.readPeople(ctx.db, filters, { page, limit });
  return { items: rows.map(toAdminUser), nextCursor };
}

/**
 * Sets a person's status and applies its effects. The same status again stores nothing, and finishes effects that are
 * still missing.
 * @throws AppError not_found, forbidden (oneself, an admin), conflict (a person who has left)
 */
export async function setUserStatus(
  ctx: MemberContext,
  { id, status, reason, days }: SetUserStatusInput,
): Promise<AdminUser> {
  refuseOwnCase(ctx.actor.id, [id], t`You cannot change your own status.`);
  await inTransaction(ctx.db, async (trx) => {
    await store.takeTurn(trx);
    const person = await store.lockPerson(trx, id);
    if (!person) throw notFound(t`Person not found`);
    const objection = judgeStatusChange({ ...person, isDeleted: person.deletedAt !== null });
    if (objection) throw new AppError(objection.code, objection.text);
    if (person.status !== status) await changeStatus(trx, ctx, { person, status, reason, days });
  });
  await applyStatusEffects(ctx, id, ctx.actor.id);
  const person = await store.findPerson(ctx.db, id);
  if (!person) throw notFound(t`Person not found`);
  return toAdminUser(person);
}

/** Sets one status of several people, each in a transaction of its own, with one reason. */
export async function setUserStatuses(
  ctx: MemberContext,
  { ids, ...decision }: SetUserStatusesInput,
): Promise<RowOutcomes> {
  return forSeveral(ctx, ids, (id) => setUserStatus(ctx, { id, ...decision }));
}

/**
 * Stores a new status with everything that concerns the person's row: ends the sessions and keys of a banned person, writes the
 * audit log and the notification. The caller holds the person's lock, and calls `applyStatusEffects` for listings and
 * deals after the commit.
 */
export async function changeStatus(
  trx: Trx,
  ctx: Context,
  given: {
    person: Pick<store.PersonRow, 'id' | 'username' | 'status'>;
    status: UserStatus;
    reason: string | null;
    /** Days until a suspension ends by itself; null: never. */
    days?: number | null | undefined;
  },
): Promise<void> {
  const { person, status, reason, days = null } = given;
  const [at, userId] = [ctx.clock(), person.id];
  const until = status === 'suspended' && days !== null ? addDays(at, days) : null;
  await setStatusOf(trx, { userId, status, reason, until, at });
  if (status === 'banned') {
    await endSessionsOf(trx, userId);
    await endKeysOf(trx, userId);
  }
  if (status === 'suspended') await stopClock(trx, { userId, cause: status, at, until });
  else await resumeClock(trx, { userId, cause: 'suspended', at });
  if (status !== 'banned') await resumeClock(trx, { userId, cause: 'banned', at });
  await announce(trx, [{ userId, event: { kind: 'account' } }]);
  const length = until === null ? '' : ` for ${days} days`;
  await audit(trx, ctx, {
    actorId: ctx.actor?.id ?? null,
    action: `status_${status}`,
    details: `${person.username}: ${person.status} → ${status}${length}.${reason === null ? '' : ` ${reason}`}`,
    targetUserId: userId,
    at,
  });
  const content = STATUS_TEXTS.changed({ status, day: until && utcDay(until), reason });
  if (status === 'banned') await mailDefence(trx, { userId, body: content, at });
  else await queueAccountMail(trx, { kind: 'status_changed', userId, address: null, body: content, at });
  const about = { userId, relatedId: null, link: paths.profile, at, isMailedApart: true };
  await notify(trx, { ...about, type: 'other', content });
}

const SUSPENSIONS_AT_ONCE = 100;

/** Ends the suspensions whose time is up. @returns how many */
export async function endSuspensions(ctx: Context): Promise<number> {
  const ids = await store.listEndedSuspensions(ctx.db, ctx.clock(), SUSPENSIONS_AT_ONCE);
  for (const id of ids) {
    await inTransaction(ctx.db, async (trx) => {
      await store.takeTurn(trx);
      const person = await store.lockPerson(trx, id);
      // Somebody may have banned the person, or prolonged it, meanwhile.
      const isOver = (await store.listEndedSuspensions(trx, ctx.clock(), 1, id)).length > 0;
      if (person && isOver) await changeStatus(trx, ctx, { person, status: 'active', reason: null });
    });
  }
  return ids.length;
}

function toAdminUser({ deletedAt, ...row }: store.PersonRow): AdminUser {
  return {
    ...row,
    isDeleted: deletedAt !== null,
    lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
