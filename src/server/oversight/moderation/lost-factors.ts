import { t } from '@lingui/core/macro';
import type { ResetSecondFactorInput } from '#contract/oversight/moderation.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { inTransaction } from '#server/database/client.ts';
import { checkPassword, enforceSecondFactor, turnOffSecondFactor } from '#server/people/accounts/service.ts';
import { refuseOwnCase } from '#server/people/audit/own-cases-sql.ts';
import { audit } from '#server/people/audit/service.ts';
import { lockPerson } from './store.ts';

/**
 * Turns off the second factor of a person who has lost it and has proved to support who they are. Everything else that
 * opens the account ends too, but for the password. They get a mail. Admins can do it for each other, or the last one
 * could never come back.
 * @throws AppError bad_input or rate_limited (the admin's own password), second_factor_required (the admin's own),
 *   forbidden (oneself), not_found, conflict (it is not on)
 */
export async function resetSecondFactor(
  ctx: MemberContext,
  { id, reason, password }: ResetSecondFactorInput,
): Promise<void> {
  refuseOwnCase(ctx.actor.id, [id], t`Turn your own second factor off in your settings.`);
  await checkPassword(ctx, password, 'password');
  await enforceSecondFactor(ctx, 'always');
  await inTransaction(ctx.db, async (trx) => {
    const person = await lockPerson(trx, id);
    if (!person) throw notFound(t`Person not found`);
    if (!person.hasSecondFactor)
      throw new AppError('conflict', t`The second factor of ${person.username} is not on.`);
    await turnOffSecondFactor(trx, ctx, id);
    await audit(trx, ctx, {
      actorId: ctx.actor.id,
      action: 'second_factor_reset',
      details: `${person.username}: ${reason}`,
      targetUserId: id,
      at: ctx.clock(),
    });
  });
}
