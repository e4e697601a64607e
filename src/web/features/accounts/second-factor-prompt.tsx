import { Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { type SecondFactorInput, secondFactorCodeInputSchema } from '#contract/accounts.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { setSecondFactorPrompt } from '#web/lib/second-factor-prompt.ts';
import { CodeInput } from './fields.tsx';
import { showRefusal } from './form-errors.ts';
import { PasskeyInstead } from './passkey-instead.tsx';
import { useConfirmSecondFactor } from './queries.ts';

/** The dialog that asks for the second factor when a call needs it again. */
export function SecondFactorPrompt() {
  const [answer, setAnswer] = useState<((isGiven: boolean) => void) | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(
    () =>
      setSecondFactorPrompt(() => {
        setTurn((before) => before + 1);
        return new Promise<boolean>((resolve) => setAnswer(() => resolve));
      }),
    [],
  );
  const end = (isGiven: boolean) => {
    answer?.(isGiven);
    setAnswer(null);
  };
  // A new dialog each time: the one that is mounted last lies in front of the dialog whose call asks.
  return (
    <Dialog key={turn} opened={answer !== null} onClose={() => end(false)} title="Confirm that it is you">
      <PromptForm onGiven={() => end(true)} />
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
