import { Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type SecondFactorInput, secondFactorCodeInputSchema } from '#contract/accounts.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { CodeInput } from './fields.tsx';
import { showRefusal } from './form-errors.ts';
import { PasskeyInstead } from './passkey-instead.tsx';
import { useConfirmSecondFactor } from './queries.ts';

interface SecondFactorDialogProps {
  readonly opened: boolean;
  readonly onGiven: () => void;
  readonly onClose: () => void;
}

/** Asks for the second factor. */
export function SecondFactorDialog({ opened, onGiven, onClose }: SecondFactorDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Confirm that it is you">
      <PromptForm onGiven={onGiven} />
    </Dialog>
  );
}

function PromptForm({ onGiven }: { onGiven: () => void }) {
  const confirm = useConfirmSecondFactor();
  const form = useForm({
    initialValues: { code: '' },
    validate: schemaResolver(secondFactorCodeInputSchema, { sync: true }),
  });
  const give = (given: SecondFactorInput) =>
    confirm.mutate(given, {
      onSuccess: onGiven,
      onError: (error) => showRefusal(form, 'Not confirmed', error),
    });
  return (
    <DialogForm onSubmit={form.onSubmit(give)} submitLabel="Confirm" isPending={confirm.isPending}>
      <Text>This needs the second factor of your account again.</Text>
      <CodeInput data-autofocus {...form.getInputProps('code')} />
      <PasskeyInstead isPending={confirm.isPending} onGiven={(passkey) => give({ passkey })} />
    </DialogForm>
  );
}
