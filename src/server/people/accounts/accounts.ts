import { t } from '@lingui/core/macro';
import { NEW_ACCOUNT_DAYS } from '#contract/base/limits.ts';
import { baseCurrency } from '#contract/base/money.ts';
import { defaultCountry } from '#contract/base/offered-countries.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { DemoPerson, SessionUser, UserStatus } from '#contract/people/accounts.ts';
import { pictureUrl } from '#contract/people/picture-addresses.ts';
import type { UserRole } from '#contract/people/roles.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { type Database, inTransaction, type Trx } from '#server/database/client.ts';
import { audit, forgetDeniedRequestsOf } from '#server/people/audit/service.ts';
import { recordLog } from '#server/people/notifications/service.ts';
import { discardPicture } from '#server/people/pictures/service.ts';
import { forgetSignInsOf } from '#server/people/sessions/service.ts';
import { ACCOUNT_HISTORY } from '#server/texts/people.ts';
import { isPassword } from './hashing.ts';
import { retireEmail } from './names.ts';
import { nameOfDeleted } from './rules.ts';
import * as store from './store.ts';
import { deleteTokensOf } from './tokens-store.ts';
import { countPasswordCheck } from './tries.ts';
import { type PersonStatus, toPersonStatus, toSessionUser } from './view.ts';
import { endWaysIn } from './ways-in.ts';

const DEMO_PEOPLE = 6;

export async function me(ctx: Context): Promise<SessionUser | null> {
  const person = ctx.actor && (await store.findPerson(ctx.db, ctx.actor.id));
  return person ? toSessionUser(person) : null;
}

/** The signed-in person. @throws AppError unauthorized if the account has just been deleted */
export async function currentUser(ctx: MemberContext): Promise<SessionUser> {
  const person = await me(ctx);
  if (!person) throw new AppError('unauthorized', TEXTS.requests.unauthorized());
  return person;
}

/** Whether the caller's account is younger than NEW_ACCOUNT_DAYS. */
export function isNewcomer({ actor, clock }: MemberContext): boolean {
  return actor.memberSince > addDays(clock(), -NEW_ACCOUNT_DAYS);
}

/** Dealing needs a confirmed address (decisions 3.16). @throws AppError address_unconfirmed */
export function checkConfirmed({ actor }: MemberContext): void {
  if (!actor.isConfirmed) {
    throw new AppError(
      'address_unconfirmed',
      t`Confirm your email address first: open the link in the email we sent you, then try again.`,
    );
  }
}

/** The country of the person's settings, in ISO 3166-1 alpha-2; null if the account is gone. */
export async function countryOf(ctx: MemberContext): Promise<string | null> {
  const person = await store.findPerson(ctx.db, ctx.actor.id);
  return person?.country ?? null;
}

/**
 * Checks the signed-in person's password before an action that cannot be undone.
 * @param field the input's name for the password
 * @throws AppError bad_input that names the field, rate_limited after ten wrong passwords in fifteen minutes from one
 *   network
 */
export async function checkPassword(ctx: MemberContext, password: string, field: string): Promise<void> {
  const forget = await countPasswordCheck(ctx);
  const stored = await store.findPasswordHash(ctx.db, ctx.actor.id);
  if (!(await isPassword(stored, password))) {
    ctx.log.info({ userId: ctx.actor.id, ip: ctx.ip }, 'password check refused');
    throw fieldError('bad_input', field, TEXTS.settings.wrongPassword(), { kind: 'password' });
  }
  await forget();
}

/** A person's role and status; null if there is no such person. */
export async function findPersonStatus(db: Database | Trx, userId: number): Promise<PersonStatus | null> {
  const person = await store.findStatus(db, userId);
  return person ? toPersonStatus(person) : null;
}

interface StatusChange {
  readonly userId: number;
  readonly status: UserStatus;
  readonly reason: string | null;
  /** When a suspension ends by itself. */
  readonly until: Date | null;
  readonly at: Date;
}

/** Changes a person's status. The caller checks permission and records the change. @throws AppError not_found */
export async function setStatusOf(trx: Trx, change: StatusChange): Promise<void> {
  const { userId, status, reason, until, at } = change;
  const values = { status, statusReason: reason, statusUntil: until, updatedAt: at };
  if (!(await store.setStatus(trx, userId, values))) throw notFound(t`Person not found`);
}

/** Whether a person is banned or has left. Locks the person until the transaction ends; lock deals first. */
export async function isBannedOrGone(trx: Trx, userId: number): Promise<boolean> {
  const person = await store.lockStatus(trx, userId);
  return person === undefined || person.status === 'banned' || person.deletedAt !== null;
}

/**
 * Anonymises a deleted account (decisions 5.4): overwrites the personal data and ends all sessions and tokens. The row
 * stays, since other people's deals refer to it, and so do keyed hashes of the names, so that nobody else may take
 * them. The caller checks permission.
 * @returns the address that it had, if that was confirmed
 * @throws AppError not_found
 */
export async function anonymisePerson(trx: Trx, ctx: Context, userId: number): Promise<string | null> {
  const names = await store.findPerson(trx, userId);
  if (!names) throw notFound(t`Person not found`);
  const at = ctx.clock();
  const isDone = await store.overwritePerson(trx, userId, {
    ...nameOfDeleted(userId),
    skeleton: null,
    passwordHash: '',
    emailVerifiedAt: null,
    pendingEmail: null,
    bio: null,
    pictureId: null,
    statusReason: null,
    statusUntil: null,
    preferredCurrency: baseCurrency(),
    country: defaultCountry(),
    role: 'user',
    isFeatured: false,
    isDemo: false,
    lastLoginAt: null,
    deletedAt: at,
    updatedAt: at,
  });
  if (!isDone) throw notFound(t`Person not found`);
  if (names.emailVerifiedAt) await retireEmail(trx, ctx, { userId, email: names.email });
  if (names.pictureId !== null) await discardPicture(trx, names.pictureId, at);
  await deleteTokensOf(trx, userId);
  await store.deletePreferencesOf(trx, userId);
  await endWaysIn(trx, ctx, userId, { session: null, setUp: false, authenticator: false });
  await forgetSignInsOf(trx, userId);
  await forgetDeniedRequestsOf(trx, userId);
  return names.emailVerifiedAt && names.email;
}

/** Takes a picture off the profile that shows it. The caller discards it. @returns the person's id, or null */
export async function takeProfilePictureDown(trx: Trx, pictureId: string, at: Date): Promise<number | null> {
  return (await store.clearPicture(trx, pictureId, at))?.id ?? null;
}

/** The demo people listed on the sign-in screen. */
export async function demoPeople(ctx: Context): Promise<DemoPerson[]> {
  const people = await store.listDemoPeople(ctx.db, DEMO_PEOPLE);
  return people.map(({ pictureId, ...person }) => ({ ...person, profileImageUrl: pictureUrl(pictureId) }));
}

/** @throws Error where people of the demo have accounts, whose password everybody knows */
export async function refuseDemoPeople({ db }: Pick<Context, 'db'>): Promise<void> {
  if (await store.hasDemoPeople(db))
    throw new Error(
      'DATABASE_URL names a database with the people of the demo, whose password everybody knows. Production needs a database of its own: name an empty one',
    );
}

/** For scripts: finds a person by username, ignoring case; null if there is none. */
export async function findByUsername(ctx: Context, username: string): Promise<SessionUser | null> {
  const person = await store.findPersonByUsername(ctx.db, username);
  return person ? toSessionUser(person) : null;
}

/** For scripts: sets a role and records it in the person's history and the audit log. @throws AppError not_found */
export async function setRole(ctx: Context, username: string, role: UserRole): Promise<SessionUser> {
  return inTransaction(ctx.db, async (trx) => {
    const now = ctx.clock();
    const person = await store.setRoleOf(trx, username, role, now);
    if (!person) throw notFound(t`Person not found`);
    await recordLog(trx, {
      userId: person.id,
      actorId: ctx.actor?.id ?? null,
      action: 'profile',
      details: ACCOUNT_HISTORY.roleChanged[role](),
      at: now,
    });
    await audit(trx, ctx, {
      actorId: ctx.actor?.id ?? null,
      action: 'role',
      details: `${person.username} is now ${role}`,
      targetUserId: person.id,
      at: now,
    });
    return toSessionUser(person);
  });
}

/** For scripts: makes somebody a demo person, who is listed on the sign-in screen. */
export async function markDemo(ctx: Context, userId: number): Promise<void> {
  await store.setDemo(ctx.db, userId);
}
