import type { IdentityInput } from '#contract/accounts.ts';
import type { MemberContext } from '../context.ts';
import { checkPasskey } from './passkey-checks.ts';
import { enforceSecondFactor } from './second-factor.ts';
import { checkPassword } from './service.ts';

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
