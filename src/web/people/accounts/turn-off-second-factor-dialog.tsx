import { t } from '@lingui/core/macro';
import { disableSecondFactorInputSchema } from '#contract/people/accounts.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { PasswordField } from '#web/components/password-field.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { CodeInput } from './fields.tsx';
import { PasskeyInstead } from './passkey-instead.tsx';

/** Turns the second factor off. */
export function Component() {
  const { form, submit, send, isPending } = useSendForm({
    schema: disableSecondFactorInputSchema,
    initial: { password: '', code: '' },
    mutation: trpc.accounts.disableSecondFactor.useMutation(),
    done: () => [t`Second factor turned off`, t`You now sign in with just your password.`],
    failed: [t`Nothing was changed`],
  });
  return (
    <Dialog title={t`Turn off the second factor`}>
      <DialogForm onSubmit={submit} submitLabel={t`Turn off`} isDangerous isPending={isPending}>
        <PasswordField
          label={t`Your password`}
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('password')}
        />
        <CodeInput {...form.getInputProps('code')} />
        <PasskeyInstead isPending={isPending} onGiven={(passkey) => send({ passkey })} />
      </DialogForm>
    </Dialog>
  );
}
