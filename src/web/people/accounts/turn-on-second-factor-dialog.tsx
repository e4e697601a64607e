import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useState } from 'react';
import {
  identityInputSchema,
  type SecondFactorSetUp,
  secondFactorCodeInputSchema,
} from '#contract/people/accounts.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { PasswordField } from '#web/components/password-field.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import classes from './accounts.module.css';
import { CodeInput } from './fields.tsx';
import { PasskeyInstead } from './passkey-instead.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Password, then the key and the first code, then the recovery codes. */
export function Component({ onClose }: { onClose: () => void }) {
  const [setUp, setSetUp] = useState<SecondFactorSetUp | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Dialog title={t`Turn on the second factor`}>
      {codes ? (
        <RecoveryCodes codes={codes} onClose={onClose} />
      ) : setUp ? (
        <FirstCode setUp={setUp} onDone={setCodes} />
      ) : (
        <Password onDone={setSetUp} />
      )}
    </Dialog>
  );
}

function Password({ onDone }: { onDone: (setUp: SecondFactorSetUp) => void }) {
  const { form, submit, send, isPending } = useSendForm({
    schema: identityInputSchema,
    initial: { password: '' },
    mutation: trpc.accounts.startSecondFactor.useMutation({ gcTime: 0 }),
    staysOpen: true,
    onDone,
    failed: [t`Nothing was changed`],
  });
  return (
    <DialogForm onSubmit={submit} submitLabel={t`Continue`} isPending={isPending}>
      <Text>
        <Trans>You need an authenticator app on your phone, such as Aegis or Google Authenticator.</Trans>
      </Text>
      <PasswordField
        label={t`Your password`}
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('password')}
      />
      <PasskeyInstead isPending={isPending} onGiven={(passkey) => send({ passkey })} />
    </DialogForm>
  );
}

interface FirstCodeProps {
  readonly setUp: SecondFactorSetUp;
  readonly onDone: (codes: readonly string[]) => void;
}

function FirstCode({ setUp, onDone }: FirstCodeProps) {
  const { form, submit, isPending } = useSendForm({
    schema: secondFactorCodeInputSchema,
    initial: { code: '' },
    mutation: trpc.accounts.enableSecondFactor.useMutation({ gcTime: 0 }),
    staysOpen: true,
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
    failed: [t`Nothing was changed`],
  });
  return (
    <DialogForm onSubmit={submit} submitLabel={t`Turn on`} isPending={isPending}>
      <Text>
        <Trans>
          Scan this with your app, or type in the key. Then enter the code that the app shows. Turning it on
          signs you out on your other devices.
        </Trans>
      </Text>
      <img className={classes.qrCode} src={setUp.qrCode} alt={t`QR code of the key`} />
      <Text ff="monospace" ta="center" style={{ overflowWrap: 'anywhere' }} translate="no">
        {setUp.secret.match(/.{1,4}/g)?.join(' ')}
      </Text>
      <CodeInput
        data-autofocus
        description={t`The six digits from your authenticator app.`}
        {...form.getInputProps('code')}
      />
    </DialogForm>
  );
}
