import { disableSecondFactorInputSchema } from '#contract/accounts.ts';
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
    done: () => ['Second factor turned off', 'You now sign in with just your password.'],
    failed: ['Nothing was changed'],
  });
  return (
    <Dialog title="Turn off the second factor">
      <DialogForm onSubmit={submit} submitLabel="Turn off" isDangerous isPending={isPending}>
        <PasswordField
          label="Your password"
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
