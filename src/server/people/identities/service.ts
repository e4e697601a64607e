import { t } from '@lingui/core/macro';
import { TEXTS } from '#contract/base/texts.ts';
import type { RemovePasskeyInput } from '#contract/people/accounts.ts';
import type {
  EnterIdentityInput,
  Identity,
  LinkIdentityInput,
  RegisterIdentityInput,
} from '#contract/people/identities.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { inTransaction, isUniqueViolation, type Trx } from '#server/database/client.ts';
import {
  checkIdentity,
  enterNamed,
  isAddressFree,
  nameOfIssuer,
  registerNamed,
  removeWayIn,
} from '#server/people/accounts/service.ts';
import type { SignedIn } from '#server/people/accounts/signing-in.ts';
import { queueAccountMail, recordLog } from '#server/people/notifications/service.ts';
import { IDENTITY_TEXTS } from '#server/texts/people.ts';
import { needsProof, openIdOf, proofOver, provedIn } from './requests.ts';
import * as store from './store.ts';

/** What a browser came with. */
interface Tokens {
  readonly previousToken: string | null;
  readonly device: string | null;
  /** To which the sign-in at the provider is bound. */
  readonly identity: string | null;
}

/**
 * Signs in whom the provider has named in this browser: as with a passkey, but for the second factor, which is asked for.
 * @throws AppError unauthorized (nobody is named, or no account is linked), forbidden (banned), second_factor_required,
 *   bad_input (a wrong code), rate_limited
 */
export async function enterWithIdentity(
  ctx: Context,
  { code }: EnterIdentityInput,
  { previousToken, device, identity }: Tokens,
): Promise<SignedIn> {
  const proved = await provedIn(ctx, identity);
  if (!proved?.linked || proved.userId !== null) throw proofOver();
  const { stateHash, linked } = proved;
  const use = async () =>
    (await store.takeProof(ctx.db, stateHash)) && store.noteUse(ctx.db, linked.id, ctx.clock());
  const provider = openIdOf(ctx).name;
  const given = { code, provider, use, gone: proofOver, previousToken, device };
  return enterNamed(ctx, linked.userId, given);
}

/**
 * Registers whom the provider has named in this browser, without a password. An address that the provider has checked is
 * confirmed, unless it is somebody's: then it is as with any other registration.
 * @throws AppError unauthorized (nobody is named), rate_limited, bad_input (an official name, the picture),
 *   username_taken, email_taken, conflict (an account is linked already)
 */
export async function registerWithIdentity(
  ctx: Context,
  input: RegisterIdentityInput,
  { previousToken, device, identity }: Tokens,
): Promise<SignedIn> {
  const proved = await provedIn(ctx, identity);
  if (!proved || proved.userId !== null) throw proofOver();
  const isChecked = proved.isEmailVerified && proved.email?.toLowerCase() === input.email.toLowerCase();
  const isConfirmed = isChecked && (await isAddressFree(ctx.db, ctx, input.email));
  const link = async (trx: Trx, userId: number) => {
    const at = ctx.clock();
    if (!(await store.takeProof(trx, proved.stateHash))) throw proofOver();
    await insert(trx, ctx, { ...proved, userId, lastUsedAt: at });
  };
  return registerNamed(ctx, input, { isConfirmed, link, previousToken, device });
}

/**
 * Links whom the provider has named in this browser to the caller's account, and mails them. The caller proves that the
 * account is theirs: before they went to the provider, by signing in since, or now.
 * @param challenge to which the passkey's challenge was bound
 * @throws AppError unauthorized (nobody is named), bad_input (a wrong password, a refused passkey),
 *   second_factor_required, rate_limited, conflict (the identity opens an account already, or the account has one)
 */
export async function linkIdentity(
  ctx: MemberContext,
  input: LinkIdentityInput,
  { session, identity, challenge }: Record<'session' | 'identity' | 'challenge', string | null>,
): Promise<void> {
  const proved = await provedIn(ctx, identity);
  const userId = ctx.actor.id;
  if (!proved || (proved.userId !== null && proved.userId !== userId)) throw proofOver();
  if (await needsProof(ctx, proved, session)) {
    if (!input.password && !input.passkey)
      throw fieldError('bad_input', 'password', TEXTS.settings.passwordRequired());
    await checkIdentity(ctx, input, challenge);
  }
  await inTransaction(ctx.db, async (trx) => {
    if (!(await store.takeProof(trx, proved.stateHash))) throw proofOver();
    await insert(trx, ctx, { ...proved, userId, lastUsedAt: null });
    await tell(trx, ctx, 'linked', proved.issuer);
  });
}

/** @throws AppError conflict (it opens an account already, or the account has one) */
async function insert(
  trx: Trx,
  ctx: Context,
  {
    userId,
    issuer,
    subject,
    lastUsedAt,
  }: { userId: number; issuer: string; subject: string; lastUsedAt: Date | null },
): Promise<void> {
  const name = nameOfIssuer(ctx, issuer);
  try {
    await store.insertIdentity(trx, { userId, issuer, subject, createdAt: ctx.clock(), lastUsedAt });
  } catch (error) {
    if (isUniqueViolation(error, 'identities_subject_key'))
      throw new AppError('conflict', t`An account is linked to this sign-in already. Sign in with ${name}.`, {
        cause: error,
      });
    if (isUniqueViolation(error, 'identities_one_each'))
      throw new AppError('conflict', t`Your account has a link to ${name} already. Remove it first.`, {
        cause: error,
      });
    throw error;
  }
}

/** The caller's identities, in the order in which they were linked. */
export async function listIdentities(ctx: MemberContext): Promise<Identity[]> {
  const rows = await store.listOf(ctx.db, ctx.actor.id);
  return rows.map(({ id, issuer, createdAt, lastUsedAt }) => ({
    id,
    name: nameOfIssuer(ctx, issuer),
    isInUse: issuer === ctx.providers.openId?.issuer,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
}

/**
 * Removes one of the caller's identities, and mails them.
 * @param challenge to which the passkey's challenge was bound
 * @throws AppError not_found, bad_input (a wrong password, a refused passkey), second_factor_required, rate_limited,
 *   conflict (nothing else opens the account)
 */
export async function removeIdentity(
  ctx: MemberContext,
  { id, ...identity }: RemovePasskeyInput,
  challenge: string | null,
): Promise<void> {
  await checkIdentity(ctx, identity, challenge);
  await inTransaction(ctx.db, async (trx) => {
    const { issuer } = await removeWayIn(trx, ctx, ctx.actor.id, async () => {
      const removed = await store.removeIdentity(trx, ctx.actor.id, id);
      if (!removed) throw notFound(t`Link not found`);
      return removed;
    });
    await tell(trx, ctx, 'removed', issuer);
  });
}

/** Writes a change of the identities into the history, and mails it. */
async function tell(
  trx: Trx,
  ctx: MemberContext,
  what: keyof typeof IDENTITY_TEXTS,
  issuer: string,
): Promise<void> {
  const { id: userId } = ctx.actor;
  const at = ctx.clock();
  const { history, mail } = IDENTITY_TEXTS[what];
  const name = nameOfIssuer(ctx, issuer);
  await recordLog(trx, { userId, actorId: userId, action: 'profile', details: history({ name }), at });
  await queueAccountMail(trx, { kind: 'identity', userId, address: null, body: mail({ name }), at });
}

export { removePastIdentityRequests } from './requests.ts';
