import { Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type SecondFactorInput, secondFactorCodeInputSchema } from '#contract/accounts.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { CodeInput } from './fields.tsx';
import { showRefusal } from './form-errors.ts';
import { PasskeyInstead } from './passkey-instead.tsx';
import { useConfirmSecondFactor } from './queries.ts';

interface ConfirmSecondFactorDialogProps {
  readonly onGiven: () => void;
  readonly onClose: () => void;
}

/** Asks for the second factor. */
export function Component({ onGiven, onClose }: ConfirmSecondFactorDialogProps) {
  const confirm = useConfirmSecondFactor();
  const form = useForm({
    initialValues: { code: '' },
    validate: schemaResolver(secondFactorCodeInputSchema, { sync: true }),
  });
  const give = (given: SecondFactorInput) =>
    confirm.mutate(given, {
      onSuccess: () => {
        onGiven();
        onClose();
      },
      onError: (error) => showRefusal(form, 'Not confirmed', error),
    });
  return (
    <Dialog title="Confirm that it is you">
      <DialogForm onSubmit={form.onSubmit(give)} submitLabel="Confirm" isPending={confirm.isPending}>
        <Text>This needs the second factor of your account again.</Text>
        <CodeInput data-autofocus {...form.getInputProps('code')} />
        <PasskeyInstead isPending={confirm.isPending} onGiven={(passkey) => give({ passkey })} />
      </DialogForm>
    </Dialog>
  );
}
