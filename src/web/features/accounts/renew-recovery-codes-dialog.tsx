import { Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type SecondFactorInput, secondFactorCodeInputSchema } from '#contract/accounts.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { CodeInput } from './fields.tsx';
import { showRefusal } from './form-errors.ts';
import { PasskeyInstead } from './passkey-instead.tsx';
import { useRenewRecoveryCodes } from './queries.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Replaces the recovery codes, and shows the new ones. */
export function Component({ onClose }: { onClose: () => void }) {
  const renew = useRenewRecoveryCodes();
  const form = useForm({
    initialValues: { code: '' },
    validate: schemaResolver(secondFactorCodeInputSchema, { sync: true }),
  });
  const give = (given: SecondFactorInput) =>
    renew.mutate(given, { onError: (error) => showRefusal(form, 'Nothing was changed', error) });
  return (
    <Dialog title="New recovery codes">
      {renew.data ? (
        <RecoveryCodes codes={renew.data.recoveryCodes} onClose={onClose} />
      ) : (
        <DialogForm onSubmit={form.onSubmit(give)} submitLabel="Show new codes" isPending={renew.isPending}>
          <Text>The old recovery codes stop working.</Text>
          <CodeInput data-autofocus {...form.getInputProps('code')} />
          <PasskeyInstead isPending={renew.isPending} onGiven={(passkey) => give({ passkey })} />
        </DialogForm>
      )}
    </Dialog>
  );
}
