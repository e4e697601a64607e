import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import { marketName } from '#contract/base/market.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { deleteAccountInputSchema } from '#contract/people/accounts.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { PasswordField } from '#web/components/password-field.tsx';
import { isConflict, writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import classes from './accounts.module.css';
import { PasskeyInstead } from './passkey-instead.tsx';
import { useBecomeVisitor } from './viewer-queries.ts';

/** Deletes the viewer's account, after their password. */
export function Component() {
  const remove = trpc.accounts.deleteAccount.useMutation({ onSuccess: useBecomeVisitor() });
  const { form, submit, send, isPending } = useSendForm({
    schema: deleteAccountInputSchema,
    initial: { confirmPassword: '' },
    mutation: remove,
    done: () => [
      t`Account deleted`,
      t`You are signed out. Thank you for being part of ${{ market: marketName() }}.`,
    ],
    failed: [TEXTS.settings.deletionFailed()],
    // The dialog stays, and says what has to be settled first.
    onFailed: (error) => {
      if (isConflict(error)) toasts.failed(error, TEXTS.settings.deletionFailed());
      return isConflict(error);
    },
  });
  return (
    <Dialog title={t`Delete your account?`}>
      <DialogForm
        onSubmit={submit}
        isPending={isPending}
        cancelLabel={t`Keep my account`}
        submitLabel={t`Delete account`}
        isDangerous
      >
        <ul className={classes.consequences}>
          <li>
            <Trans>Your coupons are no longer listed, and your open deals are cancelled.</Trans>
          </li>
          <li>
            <Trans>
              Other people keep the coupons, messages and ratings they got from you, but without your name.
            </Trans>
          </li>
          <li>
            <Trans>
              Our books keep your payments, with numbers, amounts and dates and without your name, for as long
              as accounting laws require: six years or more.
            </Trans>
          </li>
          <li>
            <Trans>
              No one can sign in to this account again or restore it. Get a copy of your data first if you
              want to keep it.
            </Trans>
          </li>
        </ul>
        {isConflict(remove.error) && (
          <Alert color="red" variant="light" title={TEXTS.settings.deletionFailed()}>
            {writeErrorText(remove.error, t`Please try again.`)}
          </Alert>
        )}
        <PasswordField
          label={t`Your password`}
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('confirmPassword')}
        />
        <PasskeyInstead isPending={isPending} onGiven={(passkey) => send({ passkey })} />
      </DialogForm>
    </Dialog>
  );
}
