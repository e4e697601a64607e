import { t } from '@lingui/core/macro';
import { language } from '#contract/base/i18n.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { appealText } from '#contract/oversight/moderation.ts';
import type {
  LoginInput,
  RegisterInput,
  RegisterWithPasskeyInput,
  SessionUser,
} from '#contract/people/accounts.ts';
import type { PasskeySignInInput } from '#contract/people/passkeys.ts';
import type { Context } from '#server/context/context.ts';
import { AppError, fieldError } from '#server/core/errors.ts';
import { skeleton } from '#server/core/fold.ts';
import { addressKey, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction, isUniqueViolation, type Trx } from '#server/database/client.ts';
import { recordLog } from '#server/people/notifications/service.ts';
import { replacePicture } from '#server/people/pictures/service.ts';
import { endSession, signIn } from '#server/people/sessions/service.ts';
import type { SessionToken } from '#server/people/sessions/sessions.ts';
import { ACCOUNT_HISTORY } from '#server/texts/people.ts';
import type { StoredText } from '#server/texts/stored.ts';
import { countVerification, queueVerification } from './confirming.ts';
import { type DeviceToken, peopleIn, rememberDevice } from './devices.ts';
import { hashPassword, matchingForm, refuseGuessable, renewedHash } from './hashing.ts';
import {
  emailTaken,
  isReservedName,
  isRetired,
  looksOfficial,
  reserveUsername,
  usernameTaken,
} from './names.ts';
import { findPasskey, isPasskeyAnswer } from './passkey-checks.ts';
import { checkNewPasskey } from './passkeys.ts';
import { checkSignInCode } from './second-factor.ts';
import { type Credentials, findCredentials, findCredentialsOf, insertPerson, setLastLogin } from './store.ts';
import { type Attempt, countPasskeyTry, countPasswordTry } from './tries.ts';
import { toSessionUser } from './view.ts';

/** The person who signed in and the tokens for their browser. */
export interface SignedIn {
  readonly user: SessionUser;
  readonly session: SessionToken;
  readonly device: DeviceToken;
}

const REGISTER_PER_ADDRESS: RateLimit = { name: 'register-address', points: 10, seconds: 3_600 };

/**
 * Registers a person, mails them a link to confirm their address, and signs them in. The answer does not tell whether
 * the address has an account: only the mail does.
 * @param previousToken the session the browser had before; it ends
 * @param device the browser's current device token
 * @throws AppError rate_limited, bad_input (an official name, a guessable password, the picture), username_taken
 */
export async function register(
  ctx: Context,
  input: RegisterInput,
  previousToken: string | null,
  device: string | null = null,
): Promise<SignedIn> {
  await refuseRegistration(ctx, input.username);
  return addPerson(ctx, input, { lastLoginAt: ctx.clock() }, (trx, added) =>
    firstSignIn(trx, ctx, added, { previousToken, device }),
  );
}

/**
 * Registers a person whom a passkey signs in, and no password: as `register`.
 * @param browser the token that the challenge was bound to
 * @throws AppError rate_limited, bad_input (an official name, the picture, a refused passkey), username_taken, conflict
 *   (the passkey is known already)
 */
export async function registerWithPasskey(
  ctx: Context,
  { passkey, ...input }: RegisterWithPasskeyInput,
  { previousToken, device, browser }: Record<'previousToken' | 'device' | 'browser', string | null>,
): Promise<SignedIn> {
  await refuseRegistration(ctx, input.username);
  const insertPasskey = await checkNewPasskey(ctx, passkey, browser);
  const person = { ...input, password: null };
  return addPerson(ctx, person, { lastLoginAt: ctx.clock() }, async (trx, added) => {
    await insertPasskey(trx, added.user.id);
    return firstSignIn(trx, ctx, added, { previousToken, device });
  });
}

/**
 * Registers a person whom a provider of OpenID has named, and no password: as `register`.
 * @param given isConfirmed: the address is known to be theirs; link: stores what signs them in, in the same transaction
 * @throws AppError rate_limited, bad_input (an official name, the picture), username_taken, email_taken, and what `link`
 *   throws
 */
export async function registerNamed(
  ctx: Context,
  input: Omit<RegisterInput, 'password'>,
  given: {
    isConfirmed: boolean;
    link: (trx: Trx, userId: number) => Promise<void>;
    previousToken: string | null;
    device: string | null;
  },
): Promise<SignedIn> {
  await refuseRegistration(ctx, input.username);
  const { isConfirmed, link } = given;
  const at = { lastLoginAt: ctx.clock(), isConfirmed };
  return addPerson(ctx, { ...input, password: null }, at, async (trx, added) => {
    await link(trx, added.user.id);
    return firstSignIn(trx, ctx, added, given);
  });
}

/** @throws AppError rate_limited, bad_input (an official name) */
async function refuseRegistration(ctx: Context, username: string): Promise<void> {
  await enforceLimit(ctx.limiter, REGISTER_PER_ADDRESS, addressKey(ctx.ip));
  if (looksOfficial(username)) throw fieldError('bad_input', 'username', TEXTS.accounts.usernameOfficial());
}

async function firstSignIn(
  trx: Trx,
  ctx: Context,
  { user, passwordHash }: Added,
  { previousToken, device }: Record<'previousToken' | 'device', string | null>,
): Promise<SignedIn> {
  const { id: userId } = user;
  const peopleInBrowser = peopleIn(ctx, device);
  return {
    user,
    session: await signIn(trx, ctx, { userId, isNewBrowser: false, previousToken, peopleInBrowser }),
    device: rememberDevice(ctx, { id: userId, passwordHash }, device),
  };
}

interface Added {
  readonly user: SessionUser;
  readonly passwordHash: string;
}

/**
 * Adds a person without signing them in, and mails them a link to confirm their address. The name may look official.
 * Without a password none opens the account.
 * @param and what belongs to the same transaction
 * @throws AppError bad_input (a guessable password, the picture), username_taken, email_taken (`isConfirmed`)
 */
export async function addPerson<Result>(
  ctx: Context,
  { password, ...input }: Omit<RegisterInput, 'password'> & { readonly password: string | null },
  { lastLoginAt, isConfirmed = false }: { lastLoginAt: Date | null; isConfirmed?: boolean },
  and: (trx: Trx, added: Added) => Promise<Result>,
): Promise<Result> {
  if (password !== null) await refuseGuessable(password, input, 'password');
  if (isReservedName(input.username)) throw usernameTaken();
  const passwordHash = password === null ? '' : await hashPassword(password);
  const isMailed = !isConfirmed && (await countVerification(ctx, input.email)) === 0;
  const now = ctx.clock();
  try {
    return await inTransaction(ctx.db, async (trx) => {
      const pictureId = await replacePicture(trx, {
        url: input.profileImageUrl,
        before: null,
        kind: 'profile',
        field: 'profileImageUrl',
        uploaderId: ctx.actor?.id ?? null,
        at: now,
      });
      const person = await insertPerson(trx, {
        username: input.username,
        skeleton: skeleton(input.username),
        email: input.email,
        passwordHash,
        bio: input.bio,
        pictureId,
        preferredCurrency: input.preferredCurrency,
        country: input.country,
        language: language(),
        termsAcceptedAt: now,
        adultConfirmedAt: now,
        lastLoginAt,
        emailVerifiedAt: isConfirmed ? now : null,
        createdAt: now,
        updatedAt: now,
      });
      await reserveUsername(trx, ctx, { userId: person.id, username: input.username });
      await recordLog(trx, {
        userId: person.id,
        actorId: person.id,
        action: 'signup',
        details: ACCOUNT_HISTORY.joined(),
        at: now,
      });
      if (isConfirmed && (await isRetired(trx, ctx, input.email))) throw emailTaken();
      if (isMailed) await queueVerification(trx, ctx, person.id, input.from);
      return and(trx, { user: toSessionUser(person), passwordHash });
    });
  } catch (error) {
    if (isUniqueViolation(error, 'users_username_key') || isUniqueViolation(error, 'users_skeleton_key'))
      throw usernameTaken();
    if (isUniqueViolation(error, 'users_email_key')) throw emailTaken();
    throw error;
  }
}

/**
 * Signs in by username or e-mail address. An unknown name, a wrong password and a deleted account get the same answer
 * after the same work. Only somebody who knows the password learns that an account is banned.
 * @param previousToken the session the browser had before; it ends
 * @param device the browser's device token; a browser that the account knows has its own tries
 * @throws AppError rate_limited, unauthorized, forbidden (banned), second_factor_required (no code), bad_input (a wrong
 *   code)
 */
export async function login(
  ctx: Context,
  input: LoginInput,
  previousToken: string | null,
  device: string | null = null,
): Promise<SignedIn> {
  const known = await findCredentials(ctx.db, input.username);
  const attempt = await countPasswordTry(ctx, known, { name: input.username, device });
  const form = await matchingForm(known?.passwordHash, input.password);
  if (!known || form === null) throw refused(ctx, known, TEXTS.accounts.invalidLogin());
  refuseBanned(ctx, known);
  await checkSignInCode(ctx, known.id, input.code, attempt.browser);
  const passwordHash = await renewedHash(known.passwordHash, form);
  return open(ctx, known, {
    attempt,
    details: ACCOUNT_HISTORY.signedIn(),
    previousToken,
    device,
    passwordHash,
  });
}

/**
 * Signs in by a passkey, which is both factors: no code is asked for. Everything else is as with a password. An unknown
 * passkey and a wrong answer get the same error.
 * @param browser the token that the challenge was bound to
 * @throws AppError rate_limited, unauthorized, forbidden (banned)
 */
export async function loginWithPasskey(
  ctx: Context,
  { passkey }: PasskeySignInInput,
  { previousToken, device, browser }: Record<'previousToken' | 'device' | 'browser', string | null>,
): Promise<SignedIn> {
  const known = await findPasskey(ctx.db, passkey.id);
  const attempt = await countPasskeyTry(ctx, known?.owner, device);
  const asked = { purpose: 'sign_in', userId: null } as const;
  const isRight = known && (await isPasskeyAnswer(ctx, { passkey, known, asked, browser }));
  if (!isRight) throw refused(ctx, known?.owner, TEXTS.accounts.passkeyRefused());
  refuseBanned(ctx, known.owner);
  const { passwordHash } = known.owner;
  return open(ctx, known.owner, {
    attempt,
    details: ACCOUNT_HISTORY.signedInByPasskey(),
    previousToken,
    device,
    passwordHash,
  });
}

/**
 * Signs in whom a provider of OpenID has named. Everything is as with a password, the second factor too.
 * @param given provider: its name; use: uses up the proof, false if it is gone, and `gone` says so
 * @throws AppError rate_limited, unauthorized, forbidden (banned), second_factor_required (no code), bad_input (a wrong
 *   code)
 */
export async function enterNamed(
  ctx: Context,
  userId: number,
  given: {
    code: string | undefined;
    provider: string;
    use: () => Promise<boolean>;
    gone: () => AppError;
    previousToken: string | null;
    device: string | null;
  },
): Promise<SignedIn> {
  const { code, provider: name, use, gone, previousToken, device } = given;
  const known = await findCredentialsOf(ctx.db, userId);
  const attempt = await countPasskeyTry(ctx, known, device);
  if (!known) throw gone();
  refuseBanned(ctx, known);
  await checkSignInCode(ctx, userId, code, attempt.browser);
  if (!(await use())) throw gone();
  const { passwordHash } = known;
  const details = ACCOUNT_HISTORY.signedInWith({ name });
  return open(ctx, known, { attempt, details, previousToken, device, passwordHash });
}

function refused(ctx: Context, known: Credentials | undefined, text: string): AppError {
  ctx.log.info({ userId: known?.id ?? null, ip: ctx.ip }, 'sign-in refused');
  return new AppError('unauthorized', text, { refused: { kind: 'sign_in', userId: known?.id } });
}

function refuseBanned(
  ctx: Context,
  { id, status, statusReason }: Pick<Credentials, 'id' | 'status' | 'statusReason'>,
): void {
  if (status !== 'banned') return;
  const refused = { kind: 'sign_in', userId: id } as const;
  throw new AppError('forbidden', bannedText(ctx, statusReason), { refused });
}

/**
 * Signs in somebody who has proved who they are.
 * @param given passwordHash: what is stored from now on. A new one makes the person's other browsers unknown, once
 */
async function open(
  ctx: Context,
  known: Credentials,
  given: {
    attempt: Attempt;
    details: StoredText;
    previousToken: string | null;
    device: string | null;
    passwordHash: string;
  },
): Promise<SignedIn> {
  const { attempt, details, previousToken, device, passwordHash } = given;
  await attempt.forget();
  return inTransaction(ctx.db, async (trx) => {
    const now = ctx.clock();
    const person = await setLastLogin(trx, known, { passwordHash, lastLoginAt: now });
    if (!person) throw new AppError('unauthorized', TEXTS.accounts.invalidLogin());
    // A ban since the proof has ended the sessions that there were; none may begin after it.
    refuseBanned(ctx, person);
    const userId = person.id;
    await recordLog(trx, { userId, actorId: userId, action: 'login', details, at: now });
    const isNewBrowser = attempt.browser === null;
    const peopleInBrowser = peopleIn(ctx, device);
    return {
      user: toSessionUser(person),
      session: await signIn(trx, ctx, { userId, isNewBrowser, previousToken, peopleInBrowser }),
      device: rememberDevice(ctx, { id: userId, passwordHash }, device),
    };
  });
}

function bannedText({ config }: Context, reason: string | null): string {
  const why = reason === null ? [] : [t`Reason: ${reason}`];
  return [t`This account is banned.`, ...why, appealText(config.supportEmail)].join(' ');
}

/** Signs this browser out; does nothing without a session. */
export async function logout(ctx: Context, token: string | null): Promise<void> {
  if (token) await endSession(ctx.db, token);
}
