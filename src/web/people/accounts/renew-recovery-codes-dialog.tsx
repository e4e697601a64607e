import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { secondFactorInputSchema } from '#contract/people/accounts.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { CodeInput } from './fields.tsx';
import { PasskeyInstead } from './passkey-instead.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Replaces the recovery codes, and shows the new ones. */
export function Component({ onClose }: { onClose: () => void }) {
  const renew = trpc.accounts.renewRecoveryCodes.useMutation({ gcTime: 0 });
  const { form, submit, send, isPending } = useSendForm({
    schema: secondFactorInputSchema,
    initial: { code: '' },
    mutation: renew,
    staysOpen: true,
    failed: [t`Nothing was changed`],
  });
  return (
    <Dialog title={t`New recovery codes`}>
      {renew.data ? (
        <RecoveryCodes codes={renew.data.recoveryCodes} onClose={onClose} />
      ) : (
        <DialogForm onSubmit={submit} submitLabel={t`Show new codes`} isPending={isPending}>
          <Text>
            <Trans>The old recovery codes stop working.</Trans>
          </Text>
          <CodeInput data-autofocus {...form.getInputProps('code')} />
          <PasskeyInstead isPending={isPending} onGiven={(passkey) => send({ passkey })} />
        </DialogForm>
      )}
    </Dialog>
  );
}
