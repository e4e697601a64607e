import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text, TextInput } from '@mantine/core';
import type { z } from 'zod';
import { identityInputSchema } from '#contract/people/accounts.ts';
import { renamePasskeyInputSchema } from '#contract/people/passkeys.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { PasswordField } from '#web/components/password-field.tsx';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { PasskeyInstead, showPasskeyFailure } from './passkey-instead.tsx';
import { useAddPasskey } from './queries.ts';

const formSchema = identityInputSchema.and(renamePasskeyInputSchema.pick({ name: true }));

/** The password or another passkey, and the name; then the browser makes the passkey. */
export function Component({ onClose }: { onClose: () => void }) {
  const add = useAddPasskey();
  const start = trpc.accounts.startPasskey.useMutation();
  const { form, submit, send, isPending } = useSendForm({
    schema: formSchema,
    initial: { name: '', password: '' },
    mutation: {
      isPending: start.isPending,
      mutateAsync: ({ password, passkey }: z.output<typeof formSchema>) =>
        start.mutateAsync({ password, passkey }),
    },
    staysOpen: true,
    failed: [t`Nothing was changed`],
    onDone: (creation, { name }) =>
      add.mutate(
        { name, creation },
        {
          onSuccess: () => {
            onClose();
            toasts.success(t`Passkey added`, t`You can sign in with it from now on.`);
          },
          onError: showPasskeyFailure,
        },
      ),
  });
  const isBusy = isPending || add.isPending;
  return (
    <Dialog title={t`Add a passkey`}>
      <DialogForm onSubmit={submit} submitLabel={t`Continue`} isPending={isBusy}>
        <Text>
          <Trans>Your browser, phone or password manager stores the passkey. We never see it.</Trans>
        </Text>
        <TextInput
          label={t`Name`}
          description={t`A name you will recognize, such as “My phone”.`}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <PasswordField
          label={t`Your password`}
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <PasskeyInstead
          isPending={isBusy}
          onGiven={(passkey) => {
            if (!form.validateField('name').hasError) void send({ name: form.values.name, passkey });
          }}
        />
      </DialogForm>
    </Dialog>
  );
}
