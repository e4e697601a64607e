import { Text, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type PasskeyAssertion, renamePasskeyInputSchema } from '#contract/passkeys.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { PasswordField } from '#web/components/password-field.tsx';
import { toasts } from '#web/lib/toasts.ts';
import { showRefusal } from './form-errors.ts';
import { PasskeyInstead, showPasskeyFailure } from './passkey-instead.tsx';
import { useAddPasskey, useStartPasskey } from './queries.ts';

const nameSchema = renamePasskeyInputSchema.pick({ name: true });

/** The password or another passkey, and the name; then the browser makes the passkey. */
export function Component({ onClose }: { onClose: () => void }) {
  const start = useStartPasskey();
  const add = useAddPasskey();
  const form = useForm({
    initialValues: { name: '', password: '' },
    // The server checks the password, and a passkey may come in its place.
    validate: schemaResolver(nameSchema, { sync: true }),
  });
  const isPending = start.isPending || add.isPending;
  const begin = (proof: { password: string } | { passkey: PasskeyAssertion }) => {
    if (form.validateField('name').hasError) return;
    const { name } = form.getValues();
    start.mutate(proof, {
      onSuccess: (creation) =>
        add.mutate(
          { name, creation },
          {
            onSuccess: () => {
              onClose();
              toasts.success('Passkey added', 'You can sign in with it from now on.');
            },
            onError: showPasskeyFailure,
          },
        ),
      onError: (error) => showRefusal(form, 'Nothing was changed', error),
    });
  };
  return (
    <Dialog title="Add a passkey">
      <DialogForm
        onSubmit={form.onSubmit(({ password }) => begin({ password }))}
        submitLabel="Continue"
        isPending={isPending}
      >
        <Text>Your browser, your phone or your password manager keeps the passkey. It never leaves it.</Text>
        <TextInput
          label="Name"
          description="By which you will know it again, such as “My phone”."
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <PasskeyInstead isPending={isPending} onGiven={(passkey) => begin({ passkey })} />
      </DialogForm>
    </Dialog>
  );
}
