import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { type Passkey, renamePasskeyInputSchema } from '#contract/people/passkeys.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';

/** Gives a passkey another name. */
export function Component({ passkey: { id, name } }: { passkey: Passkey }) {
  const { form, submit, isPending } = useSendForm({
    schema: renamePasskeyInputSchema,
    initial: { id, name },
    mutation: trpc.accounts.renamePasskey.useMutation(),
    done: () => [t`Passkey renamed`],
    failed: [t`Passkey not renamed`],
  });
  return (
    <Dialog title={t`Rename this passkey`}>
      <DialogForm onSubmit={submit} submitLabel={t`Rename`} isPending={isPending}>
        <TextInput label={t`Name`} required data-autofocus {...form.getInputProps('name')} />
      </DialogForm>
    </Dialog>
  );
}
