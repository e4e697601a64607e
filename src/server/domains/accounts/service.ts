import { hash, verify } from '@node-rs/argon2';
import type { z } from 'zod';
import type { loginInputSchema, registerInputSchema, SessionUser, UserRole } from '#contract/accounts.ts';
import { TEXTS } from '#contract/texts.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { callerOf, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction, isUniqueViolation } from '#server/database/client.ts';
import type { Context, MemberContext } from '../context.ts';
import { recordLog } from '../notifications/service.ts';
import { endSession, type SessionToken, startSession } from '../sessions/service.ts';
import { repeatsOwnName } from './rules.ts';
import {
  findCredentials,
  findPerson,
  findPersonByUsername,
  insertPerson,
  listDemoPeople,
  setDemo,
  setLastLogin,
  setRoleOf,
} from './store.ts';
import { toSessionUser } from './view.ts';

type RegisterInput = z.infer<typeof registerInputSchema>;
type LoginInput = z.infer<typeof loginInputSchema>;

/** Somebody signed in, and the session that their browser is to keep. */
export interface SignedIn {
  readonly user: SessionUser;
  readonly session: SessionToken;
}

const MINUTE = 60;
/** research/reliability.md section 4, "guessing". A right password does not clear an address's count. */
const LOGIN_PER_ADDRESS: RateLimit = { name: 'login-address', points: 20, seconds: 15 * MINUTE };
const LOGIN_PER_ACCOUNT: RateLimit = { name: 'login-account', points: 50, seconds: 15 * MINUTE };
const REGISTER_PER_ADDRESS: RateLimit = { name: 'register-address', points: 10, seconds: 60 * MINUTE };

/** Argon2id (the package's default kind) at OWASP's cost: 19 MiB, two passes, about 14 ms. */
const HASH_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** What a password is held against when nobody has the name: same cost, same answer, nobody's password. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$6LE4aO92ot8R2eXUiNysEA$stPn2vNpg1lBSdq5o5u9fddx7lqTkaDdp4cXxbpT67Q';

const DEMO_PEOPLE = 6;

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/** 49,000 passwords in lower case; half a megabyte that is read when the first person registers. */
function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );
  return commonPasswords;
}

/** @throws AppError bad_input that names the field `password` */
async function refuseGuessable(input: RegisterInput): Promise<void> {
  if (repeatsOwnName(input.password, input)) {
    throw fieldError(
      'bad_input',
      'password',
      'Your password must differ from your username and e-mail address.',
    );
  }
  if ((await loadCommonPasswords()).has(input.password.toLowerCase())) {
    throw fieldError('bad_input', 'password', TEXTS.accounts.commonPassword);
  }
}

/**
 * Registers a person and signs them in. `previousToken` is the session that the browser came with: it ends.
 * @throws AppError rate_limited, bad_input (a guessable password), username_taken, email_taken
 */
export async function register(
  ctx: Context,
  input: RegisterInput,
  previousToken: string | null,
): Promise<SignedIn> {
  await enforceLimit(ctx.limiter, REGISTER_PER_ADDRESS, callerOf(ctx.ip));
  await refuseGuessable(input);
  const passwordHash = await hash(input.password, HASH_COST);
  const now = ctx.clock();
  try {
    return await inTransaction(ctx.db, async (trx) => {
      const person = await insertPerson(trx, {
        username: input.username,
        email: input.email,
        passwordHash,
        bio: input.bio,
        preferredCurrency: input.preferredCurrency,
        country: input.country,
        termsAcceptedAt: now,
        adultConfirmedAt: now,
        lastLoginAt: now,
        createdAt: now,
        updatedAt: now,
      });
      await recordLog(trx, {
        userId: person.id,
        actorId: person.id,
        action: 'signup',
        details: 'Joined ClipSwap',
        at: now,
      });
      if (previousToken) await endSession(trx, previousToken);
      return { user: toSessionUser(person), session: await startSession(trx, ctx.clock, person.id) };
    });
  } catch (error) {
    if (isUniqueViolation(error, 'users_username_key')) {
      throw fieldError('username_taken', 'username', TEXTS.accounts.usernameTaken);
    }
    if (isUniqueViolation(error, 'users_email_key')) {
      throw fieldError('email_taken', 'email', TEXTS.accounts.emailTaken);
    }
    throw error;
  }
}

/**
 * Signs in by user name or e-mail address. An unknown name and a wrong password get the same answer after the
 * same work; that an account is banned is told only to who knows its password. `previousToken` is the session
 * that the browser came with: it ends.
 * @throws AppError rate_limited, unauthorized, forbidden (banned)
 */
export async function login(
  ctx: Context,
  input: LoginInput,
  previousToken: string | null,
): Promise<SignedIn> {
  await enforceLimit(ctx.limiter, LOGIN_PER_ADDRESS, callerOf(ctx.ip));
  const known = await findCredentials(ctx.db, input.username);
  // Counted by person, so that the user name and the e-mail address share one count.
  const account = known ? `id ${known.id}` : `name ${input.username.toLowerCase()}`;
  await enforceLimit(ctx.limiter, LOGIN_PER_ACCOUNT, account);

  const isRight = await verify(known?.passwordHash ?? NOBODYS_HASH, input.password);
  if (!known || !isRight) {
    ctx.log.info({ userId: known?.id ?? null, ip: ctx.ip }, 'sign-in refused');
    throw new AppError('unauthorized', TEXTS.accounts.invalidLogin);
  }
  if (known.status === 'banned') throw new AppError('forbidden', 'This account is banned.');
  await ctx.limiter.reset(LOGIN_PER_ACCOUNT, account);

  return inTransaction(ctx.db, async (trx) => {
    const now = ctx.clock();
    const person = await setLastLogin(trx, known.id, now);
    await recordLog(trx, {
      userId: person.id,
      actorId: person.id,
      action: 'login',
      details: 'Signed in',
      at: now,
    });
    if (previousToken) await endSession(trx, previousToken);
    return { user: toSessionUser(person), session: await startSession(trx, ctx.clock, person.id) };
  });
}

/** Signs this browser out; without a session nothing happens. */
export async function logout(ctx: Context, token: string | null): Promise<void> {
  if (token) await endSession(ctx.db, token);
}

/** The signed-in person, or null. */
export async function me(ctx: Context): Promise<SessionUser | null> {
  const person = ctx.actor && (await findPerson(ctx.db, ctx.actor.id));
  return person ? toSessionUser(person) : null;
}

/** The signed-in person. @throws AppError unauthorized when the account has just gone */
export async function currentUser(ctx: MemberContext): Promise<SessionUser> {
  const person = await me(ctx);
  if (!person) throw new AppError('unauthorized', TEXTS.requests.unauthorized);
  return person;
}

/** The demo people whom the sign-in screen offers. */
export async function demoPeople(ctx: Context): Promise<{ username: string; bio: string | null }[]> {
  return listDemoPeople(ctx.db, DEMO_PEOPLE);
}

/** For scripts: who has this user name, or null. */
export async function findByUsername(ctx: Context, username: string): Promise<SessionUser | null> {
  const person = await findPersonByUsername(ctx.db, username);
  return person ? toSessionUser(person) : null;
}

/** For scripts: gives a role, and says so in the person's history. @throws AppError not_found */
export async function setRole(ctx: Context, username: string, role: UserRole): Promise<SessionUser> {
  return inTransaction(ctx.db, async (trx) => {
    const now = ctx.clock();
    const person = await setRoleOf(trx, username, role, now);
    if (!person) throw notFound('Person');
    await recordLog(trx, {
      userId: person.id,
      actorId: ctx.actor?.id ?? null,
      action: 'profile',
      details: `Role changed to ${role}`,
      at: now,
    });
    return toSessionUser(person);
  });
}

/** For scripts: marks people as demo people, whom the sign-in screen offers. */
export async function markDemo(ctx: Context, userIds: readonly number[]): Promise<void> {
  if (userIds.length > 0) await setDemo(ctx.db, userIds);
}
