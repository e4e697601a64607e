import { t } from '@lingui/core/macro';
import { PAGES } from '#contract/base/pages.ts';
import { TokenPage } from '#web/components/token-page.tsx';
import { ResetPasswordForm } from '#web/people/accounts/reset-password-form.tsx';

/** Takes an account back; opened by the link "This was not me" of a mail that tells of a change. */
export function Component() {
  return (
    <TokenPage title={PAGES.notMe.title()}>
      {(token) => (
        <ResetPasswordForm
          token={token}
          text={t`Choose a new password. We sign everyone out, remove every passkey and every linked sign-in, end every key and your calendar address, switch off every webhook, turn off any authenticator app that was turned on since our email, and give the account back the address we emailed.`}
          submitLabel={t`Take my account back`}
        />
      )}
    </TokenPage>
  );
}
