import { t } from '@lingui/core/macro';
import type { Language } from '#contract/base/i18n.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { SessionUser, UpdateProfileInput } from '#contract/people/accounts.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError, fieldError } from '#server/core/errors.ts';
import { countChange } from '#server/core/own-changes.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction } from '#server/database/client.ts';
import { recordLog } from '#server/people/notifications/service.ts';
import { replacePicture } from '#server/people/pictures/service.ts';
import { ACCOUNT_HISTORY } from '#server/texts/people.ts';
import { currentUser } from './accounts.ts';
import { enforceVerification, queueVerification } from './confirming.ts';
import { checkIdentity } from './passkeys.ts';
import { isSameAddress } from './rules.ts';
import { findOwner, lockOwner, type OwnerRow, updatePerson } from './store.ts';

/** Each attempt mails an address of the caller's choice. */
const ADDRESSES_PER_PERSON: RateLimit = { name: 'new-address', points: 5, seconds: 3_600 };

/**
 * Changes the caller's profile. A new e-mail address takes the password and the second factor, or a passkey, and
 * replaces the old one only when it is confirmed by the link mailed to it; giving the old address again cancels the
 * change. The answer does not tell whether somebody else has the address: only the mail to it does.
 * @throws AppError bad_input (a wrong password, profileImageUrl), second_factor_required, rate_limited (too many new
 *   addresses), unauthorized if the account has just been deleted
 */
export async function updateProfile(
  ctx: MemberContext,
  { password, passkey, ...input }: UpdateProfileInput,
  browser: string | null = null,
): Promise<SessionUser> {
  const { email, profileImageUrl, ...profile } = input;
  await countChange(ctx);
  const before = await findOwner(ctx.db, ctx.actor.id);
  const isNew = before !== undefined && isNewAddress(before, email);
  if (isNew) {
    await enforceLimit(ctx.limiter, ADDRESSES_PER_PERSON, String(ctx.actor.id));
    if (!password && !passkey) throw fieldError('bad_input', 'password', TEXTS.settings.passwordRequired());
    await checkIdentity(ctx, { password, passkey }, browser);
    await enforceVerification(ctx, email);
  }
  await inTransaction(ctx.db, async (trx) => {
    const person = await lockOwner(trx, ctx.actor.id);
    if (!person) throw new AppError('unauthorized', TEXTS.requests.unauthorized());
    if (isNewAddress(person, email) && !isNew) throw justChanged();
    const at = ctx.clock();
    const pendingEmail = isSameAddress(email, person.email) ? null : email;
    const pictureId =
      profileImageUrl === undefined
        ? person.pictureId
        : await replacePicture(trx, {
            url: profileImageUrl,
            before: person.pictureId,
            kind: 'profile',
            field: 'profileImageUrl',
            uploaderId: person.id,
            at,
          });
    await updatePerson(trx, person.id, { ...profile, pictureId, pendingEmail, updatedAt: at });
    if (isNew) await queueVerification(trx, ctx, person.id);
    const details = ACCOUNT_HISTORY.profileUpdated();
    await recordLog(trx, { userId: person.id, actorId: person.id, action: 'profile', details, at });
  });
  return currentUser(ctx);
}

/** Writes to the caller in another language from now on. */
export async function chooseLanguage({ db, actor, clock }: MemberContext, language: Language): Promise<void> {
  await updatePerson(db, actor.id, { language, updatedAt: clock() });
}

/** Whether an address is neither the person's current one nor the pending one. */
function isNewAddress(person: OwnerRow, email: string): boolean {
  return !isSameAddress(email, person.email) && !isSameAddress(email, person.pendingEmail);
}

/** Refuses an address that was the person's when nobody asked for their password, and is no longer. */
function justChanged(): AppError {
  return new AppError('conflict', t`Your email address has just changed. Please try again.`);
}
