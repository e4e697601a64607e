import { t } from '@lingui/core/macro';
import { CHALLENGE_MINUTES } from '#contract/base/limits.ts';
import { marketName } from '#contract/base/market.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type {
  IdentityInput,
  RemovePasskeyInput,
  StartPasskeyRegistrationInput,
} from '#contract/people/accounts.ts';
import {
  type AddPasskeyInput,
  PASSKEYS_AT_MOST,
  type Passkey,
  type PasskeyCreation,
  type RenamePasskeyInput,
} from '#contract/people/passkeys.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { inTransaction, refuseDuplicate, type Trx } from '#server/database/client.ts';
import { queueAccountMail, recordLog } from '#server/people/notifications/service.ts';
import { PASSKEY_TEXTS } from '#server/texts/people.ts';
import { checkPassword } from './accounts.ts';
import {
  type Asked,
  askBrowser,
  type BrowserToken,
  checkPasskey,
  relyingParty,
  takeChallenge,
  userHandleOf,
} from './passkey-checks.ts';
import * as store from './passkey-store.ts';
import { enforceSecondFactor } from './second-factor.ts';
import { lockOwner } from './store.ts';
import { removeWayIn } from './ways-in.ts';

/** COSE algorithms: ES256, RS256 (Windows Hello), EdDSA. */
const ALGORITHMS = [-7, -257, -8];

/** The caller's passkeys, in the order in which they were added. */
export async function listPasskeys(ctx: MemberContext): Promise<Passkey[]> {
  return (await store.listPasskeys(ctx.db, ctx.actor.id)).map(toPasskey);
}

/**
 * Begins to add a passkey.
 * @throws AppError bad_input (a wrong password, a refused passkey), second_factor_required, rate_limited, conflict (too
 *   many)
 */
export async function startPasskey(
  ctx: MemberContext,
  input: IdentityInput,
  browser: string | null,
): Promise<{ options: PasskeyCreation; browser: BrowserToken }> {
  await checkIdentity(ctx, input, browser);
  const { id: userId, username } = ctx.actor;
  const passkeys = await store.listPasskeys(ctx.db, userId);
  if (passkeys.length >= PASSKEYS_AT_MOST) throw tooMany();
  return create(ctx, { username, asked: { purpose: 'add', userId }, known: passkeys }, browser);
}

/** Begins an account that a passkey opens, without a password. @throws AppError rate_limited */
export function startPasskeyRegistration(
  ctx: Context,
  { username }: StartPasskeyRegistrationInput,
  browser: string | null,
): Promise<{ options: PasskeyCreation; browser: BrowserToken }> {
  return create(ctx, { username, asked: REGISTERING, known: [] }, browser);
}

const REGISTERING = { purpose: 'register', userId: null } as const;

/** Asks for a new passkey. @param given known: those that the person has */
async function create(
  ctx: Context,
  given: { username: string; asked: Asked; known: readonly store.PasskeyRow[] },
  browser: string | null,
): Promise<{ options: PasskeyCreation; browser: BrowserToken }> {
  const { username, asked, known } = given;
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const options = await generateRegistrationOptions({
    rpName: marketName(),
    rpID: relyingParty(ctx).id,
    userName: username,
    userDisplayName: username,
    userID: userHandleOf(ctx, username),
    timeout: CHALLENGE_MINUTES * 60_000,
    excludeCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return { options, browser: await askBrowser(ctx, options.challenge, asked, browser) };
}

/**
 * Stores the passkey that the browser has made for `startPasskey`, and mails the person.
 * @throws AppError bad_input (refused), conflict (it is known already, or too many)
 */
export async function addPasskey(
  ctx: MemberContext,
  { name, passkey }: AddPasskeyInput,
  browser: string | null,
): Promise<Passkey> {
  const userId = ctx.actor.id;
  const made = await verifyNew(ctx, passkey, { purpose: 'add', userId }, browser);
  return inTransaction(ctx.db, async (trx) => {
    await lockOwner(trx, userId);
    if ((await store.listPasskeys(trx, userId)).length >= PASSKEYS_AT_MOST) throw tooMany();
    const row = await insertMade(trx, ctx, { userId, name, made });
    await tell(trx, ctx, 'added', name);
    return toPasskey(row);
  });
}

/**
 * Checks the passkey that the browser has made for `startPasskeyRegistration`.
 * @returns stores it for the new person, in the transaction that adds them
 * @throws AppError bad_input (refused); the returned function: conflict (it is known already)
 */
export async function checkNewPasskey(
  ctx: Context,
  passkey: AddPasskeyInput['passkey'],
  browser: string | null,
): Promise<(trx: Trx, userId: number) => Promise<void>> {
  const made = await verifyNew(ctx, passkey, REGISTERING, browser);
  return async (trx, userId) => {
    await insertMade(trx, ctx, { userId, name: t`First passkey`, made });
  };
}

type Made = Awaited<ReturnType<typeof verifyNew>>;

/** @throws AppError conflict (it is known already) */
function insertMade(
  trx: Trx,
  ctx: Context,
  { userId, name, made }: { userId: number; name: string; made: Made },
): Promise<store.PasskeyRow> {
  const { id: credentialId, publicKey, counter, transports } = made;
  const row = { userId, credentialId, publicKey: Buffer.from(publicKey), counter, transports, name };
  return refuseDuplicate(
    store.insertPasskey(trx, { ...row, createdAt: ctx.clock() }),
    'passkeys_credential_id_key',
    (cause) => new AppError('conflict', t`This passkey is already in use.`, { cause }),
  );
}

async function verifyNew(
  ctx: Context,
  passkey: AddPasskeyInput['passkey'],
  asked: Asked,
  browser: string | null,
) {
  const expectedChallenge = await takeChallenge(ctx, passkey.response.clientDataJSON, asked, browser);
  const { id, origin } = relyingParty(ctx);
  const refused = fieldError('bad_input', 'passkey', TEXTS.accounts.passkeyRefused());
  if (expectedChallenge === null) throw refused;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...passkey, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (verified) return { ...registrationInfo.credential, transports: passkey.response.transports };
  } catch (error) {
    ctx.log.info({ userId: asked.userId, reason: String(error) }, 'passkey refused');
  }
  throw refused;
}

/** @throws AppError not_found */
export async function renamePasskey(ctx: MemberContext, { id, name }: RenamePasskeyInput): Promise<void> {
  if (!(await store.renamePasskey(ctx.db, { userId: ctx.actor.id, id, name })))
    throw notFound(t`Passkey not found`);
}

/**
 * Removes one of the caller's passkeys, and mails them.
 * @throws AppError not_found, bad_input (a wrong password, a refused passkey), second_factor_required, rate_limited,
 *   conflict (nothing else opens the account)
 */
export async function removePasskey(
  ctx: MemberContext,
  { id, ...identity }: RemovePasskeyInput,
  browser: string | null,
): Promise<void> {
  await checkIdentity(ctx, identity, browser);
  await inTransaction(ctx.db, async (trx) => {
    const { name } = await removeWayIn(trx, ctx, ctx.actor.id, async () => {
      const removed = await store.removePasskey(trx, ctx.actor.id, id);
      if (!removed) throw notFound(t`Passkey not found`);
      return removed;
    });
    await tell(trx, ctx, 'removed', name);
  });
}

function tooMany(): AppError {
  return new AppError('conflict', t`You have ${PASSKEYS_AT_MOST} passkeys. Remove one first.`);
}

function toPasskey({ id, name, createdAt, lastUsedAt }: store.PasskeyRow): Passkey {
  return {
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

/** Writes a change of the passkeys into the history, and mails it. */
async function tell(trx: Trx, ctx: MemberContext, what: 'added' | 'removed', name: string): Promise<void> {
  const { id: userId } = ctx.actor;
  const at = ctx.clock();
  const { history, mail } = PASSKEY_TEXTS[what];
  await recordLog(trx, { userId, actorId: userId, action: 'profile', details: history({ name }), at });
  await queueAccountMail(trx, { kind: 'passkey', userId, address: null, body: mail({ name }), at });
}

/**
 * Asks for the caller's identity before how their account is opened changes: a passkey, or the password and, from who
 * has one, the second factor.
 * @throws AppError bad_input (a wrong password, a refused passkey), second_factor_required, rate_limited
 */
export async function checkIdentity(
  ctx: MemberContext,
  { password, passkey }: IdentityInput,
  browser: string | null,
): Promise<void> {
  if (passkey) return checkPasskey(ctx, passkey, browser);
  await checkPassword(ctx, password ?? '', 'password');
  await enforceSecondFactor(ctx, 'always');
}
