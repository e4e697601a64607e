import { TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type Passkey, renamePasskeyInputSchema } from '#contract/passkeys.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { useRenamePasskey } from './queries.ts';

const nameSchema = renamePasskeyInputSchema.pick({ name: true });

interface RenamePasskeyDialogProps {
  readonly passkey: Passkey;
  readonly onClose: () => void;
}

/** Gives a passkey another name. */
export function Component({ passkey: { id, name }, onClose }: RenamePasskeyDialogProps) {
  const rename = useRenamePasskey();
  const form = useForm({
    initialValues: { name },
    validate: schemaResolver(nameSchema, { sync: true }),
  });
  const submit = form.onSubmit((values) =>
    rename.mutate(
      { id, ...values },
      dialogAnswers({ onClose, done: () => ['Passkey renamed'], failedTitle: 'Not renamed', form }),
    ),
  );
  return (
    <Dialog title="Rename this passkey">
      <DialogForm onSubmit={submit} submitLabel="Rename" isPending={rename.isPending}>
        <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      </DialogForm>
    </Dialog>
  );
}
