import { schemaResolver, useForm } from '@mantine/form';
import { type DisableSecondFactorInput, disableSecondFactorInputSchema } from '#contract/accounts.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { PasswordField } from '#web/components/password-field.tsx';
import { toasts } from '#web/lib/toasts.ts';
import { CodeInput } from './fields.tsx';
import { showRefusal } from './form-errors.ts';
import { PasskeyInstead } from './passkey-instead.tsx';
import { useDisableSecondFactor } from './queries.ts';

/** Turns the second factor off. */
export function Component({ onClose }: { onClose: () => void }) {
  const disable = useDisableSecondFactor();
  const form = useForm({
    initialValues: { password: '', code: '' },
    validate: schemaResolver(disableSecondFactorInputSchema, { sync: true }),
  });
  const give = (given: DisableSecondFactorInput) =>
    disable.mutate(given, {
      onSuccess: () => {
        onClose();
        toasts.success('Second factor turned off', 'Your password alone signs you in now.');
      },
      onError: (error) => showRefusal(form, 'Nothing was changed', error),
    });
  return (
    <Dialog title="Turn off the second factor">
      <DialogForm
        onSubmit={form.onSubmit(give)}
        submitLabel="Turn off"
        isDangerous
        isPending={disable.isPending}
      >
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('password')}
        />
        <CodeInput {...form.getInputProps('code')} />
        <PasskeyInstead isPending={disable.isPending} onGiven={(passkey) => give({ passkey })} />
      </DialogForm>
    </Dialog>
  );
}
