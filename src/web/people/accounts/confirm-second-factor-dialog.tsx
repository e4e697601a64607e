import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { secondFactorInputSchema } from '#contract/people/accounts.ts';
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
    failed: [t({ context: 'second factor', message: 'Not confirmed' })],
  });
  return (
    <Dialog title={t`Confirm that it is you`}>
      <DialogForm onSubmit={submit} submitLabel={t`Confirm`} isPending={isPending}>
        <Text>
          <Trans>To be safe, please enter your second factor again.</Trans>
        </Text>
        <CodeInput data-autofocus {...form.getInputProps('code')} />
        <PasskeyInstead isPending={isPending} onGiven={(passkey) => send({ passkey })} />
      </DialogForm>
    </Dialog>
  );
}
