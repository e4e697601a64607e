import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { removePasskeyInputSchema } from '#contract/people/accounts.ts';
import type { Passkey } from '#contract/people/passkeys.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { PasswordField } from '#web/components/password-field.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { PasskeyInstead } from './passkey-instead.tsx';

/** Removes a passkey, after the password or another passkey. */
export function Component({ passkey: { id, name } }: { passkey: Passkey }) {
  const { form, submit, send, isPending } = useSendForm({
    schema: removePasskeyInputSchema,
    initial: { id, password: '' },
    mutation: trpc.accounts.removePasskey.useMutation(),
    done: () => [t`Passkey removed`, t`You can no longer sign in with ${name}.`],
    failed: [t`Nothing was changed`],
  });
  return (
    <Dialog title={t`Remove this passkey?`}>
      <DialogForm onSubmit={submit} submitLabel={t`Remove`} isDangerous isPending={isPending}>
        <Text>
          <Trans>
            You will no longer be able to sign in with {name}. Delete it from the device or password manager
            that stores it, too.
          </Trans>
        </Text>
        <PasswordField
          label={t`Your password`}
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('password')}
        />
        <PasskeyInstead isPending={isPending} onGiven={(passkey) => send({ id, passkey })} />
      </DialogForm>
    </Dialog>
  );
}
