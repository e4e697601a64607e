import { t } from '@lingui/core/macro';
import { PAGES } from '#contract/base/pages.ts';
import { TokenPage } from '#web/components/token-page.tsx';
import { ResetPasswordForm } from '#web/people/accounts/reset-password-form.tsx';

/** Sets a new password; opened by the link of a "forgot password" mail. */
export function Component() {
  return (
    <TokenPage title={PAGES.resetPassword.title()}>
      {(token) => (
        <ResetPasswordForm
          token={token}
          text={t`This signs you out on every device, removes your passkeys and linked sign-ins, ends your keys and your calendar address, and switches off your webhooks. An authenticator app stays on.`}
          submitLabel={t`Set the new password`}
        />
      )}
    </TokenPage>
  );
}
