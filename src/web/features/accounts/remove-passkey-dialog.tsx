import { Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { identityInputSchema } from '#contract/accounts.ts';
import type { Passkey, PasskeyAssertion } from '#contract/passkeys.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { PasswordField } from '#web/components/password-field.tsx';
import { toasts } from '#web/lib/toasts.ts';
import { showRefusal } from './form-errors.ts';
import { PasskeyInstead } from './passkey-instead.tsx';
import { useRemovePasskey } from './queries.ts';

interface RemovePasskeyDialogProps {
  readonly passkey: Passkey;
  readonly onClose: () => void;
}

/** Removes a passkey, after the password or another passkey. */
export function Component({ passkey: { id, name }, onClose }: RemovePasskeyDialogProps) {
  const remove = useRemovePasskey();
  const form = useForm({
    initialValues: { password: '' },
    validate: schemaResolver(identityInputSchema, { sync: true }),
  });
  const give = (proof: { password: string } | { passkey: PasskeyAssertion }) =>
    remove.mutate(
      { id, ...proof },
      {
        onSuccess: () => {
          onClose();
          toasts.success('Passkey removed', `${name} signs nobody in any more.`);
        },
        onError: (error) => showRefusal(form, 'Nothing was changed', error),
      },
    );
  return (
    <Dialog title="Remove this passkey?">
      <DialogForm
        onSubmit={form.onSubmit(give)}
        submitLabel="Remove"
        isDangerous
        isPending={remove.isPending}
      >
        <Text>
          {name} signs nobody in any more. Delete it in the device or password manager that keeps it, too.
        </Text>
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('password')}
        />
        <PasskeyInstead isPending={remove.isPending} onGiven={(passkey) => give({ passkey })} />
      </DialogForm>
    </Dialog>
  );
}
