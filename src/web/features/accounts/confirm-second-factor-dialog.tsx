import { Text } from '@mantine/core';
import { secondFactorInputSchema } from '#contract/accounts.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { CodeInput } from './fields.tsx';
import { PasskeyInstead } from './passkey-instead.tsx';

/** Asks for the second factor. */
export function Component({ onGiven }: { onGiven: () => void }) {
  const { form, submit, send, isPending } = useSendForm({
    schema: secondFactorInputSchema,
    initial: { code: '' },
    mutation: trpc.accounts.confirmSecondFactor.useMutation(),
    onDone: onGiven,
    failed: ['Not confirmed'],
  });
  return (
    <Dialog title="Confirm that it is you">
      <DialogForm onSubmit={submit} submitLabel="Confirm" isPending={isPending}>
        <Text>To be safe, please enter your second factor again.</Text>
        <CodeInput data-autofocus {...form.getInputProps('code')} />
        <PasskeyInstead isPending={isPending} onGiven={(passkey) => send({ passkey })} />
      </DialogForm>
    </Dialog>
  );
}
