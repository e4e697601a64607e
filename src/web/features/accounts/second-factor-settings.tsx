import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import {
  type DisableSecondFactorInput,
  disableSecondFactorInputSchema,
  type SecondFactorInput,
  type SecondFactorSetUp,
  secondFactorCodeInputSchema,
  startSecondFactorInputSchema,
} from '#contract/accounts.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { PasswordField } from '#web/components/password-field.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { formatDate } from '#web/lib/format.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import classes from './accounts.module.css';
import { CodeInput } from './fields.tsx';
import { showRefusal } from './form-errors.ts';
import { PasskeyInstead } from './passkey-instead.tsx';
import {
  useDisableSecondFactor,
  useEnableSecondFactor,
  useRenewRecoveryCodes,
  useSecondFactor,
  useStartSecondFactor,
} from './queries.ts';

type Act = 'set-up' | 'renew' | 'disable';

const TITLES: Record<Act, string> = {
  'set-up': 'Turn on the second factor',
  renew: 'New recovery codes',
  disable: 'Turn off the second factor',
};

/** Turns the second factor on and off, and replaces the recovery codes. */
export function SecondFactorSettings() {
  const query = useSecondFactor();
  const dialog = useDialog<Act>();
  const open = (act: Act) => () => dialog.open(act);
  return (
    <>
      <QueryContent
        query={query}
        errorTitle="Error loading your second factor"
        skeleton={<Skeleton height={84} radius="md" aria-hidden="true" />}
      >
        {({ isOn, enabledAt, recoveryCodesLeft, recoveryCodesMadeAt }) => (
          <Stack>
            <Group gap="xs">
              {isOn ? <ToneBadge tone="success">On</ToneBadge> : <ToneBadge tone="neutral">Off</ToneBadge>}
              {enabledAt && <Text size="sm">Since {formatDate(enabledAt)}</Text>}
              {isOn && <Text size="sm">Unused recovery codes: {recoveryCodesLeft}</Text>}
              {recoveryCodesMadeAt && <Text size="sm">Made {formatDate(recoveryCodesMadeAt)}</Text>}
            </Group>
            <Group>
              {isOn ? (
                <>
                  <Button variant="default" aria-haspopup="dialog" onClick={open('renew')}>
                    New recovery codes
                  </Button>
                  <Button variant="default" aria-haspopup="dialog" onClick={open('disable')}>
                    Turn off
                  </Button>
                </>
              ) : (
                <Button variant="default" aria-haspopup="dialog" onClick={open('set-up')}>
                  Turn on
                </Button>
              )}
            </Group>
          </Stack>
        )}
      </QueryContent>
      <Dialog
        opened={dialog.opened}
        onClose={dialog.close}
        title={dialog.subject ? TITLES[dialog.subject] : ''}
      >
        {dialog.subject === 'set-up' && <SetUp onClose={dialog.close} />}
        {dialog.subject === 'renew' && <Renew onClose={dialog.close} />}
        {dialog.subject === 'disable' && <Disable onClose={dialog.close} />}
      </Dialog>
    </>
  );
}

interface StepProps {
  readonly onClose: () => void;
}

/** Password, then the key and the first code, then the recovery codes. */
function SetUp({ onClose }: StepProps) {
  const [setUp, setSetUp] = useState<SecondFactorSetUp | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />;
  return setUp ? <FirstCode setUp={setUp} onDone={setCodes} /> : <Password onDone={setSetUp} />;
}

function Password({ onDone }: { onDone: (setUp: SecondFactorSetUp) => void }) {
  const start = useStartSecondFactor();
  const form = useForm({
    initialValues: { password: '' },
    validate: schemaResolver(startSecondFactorInputSchema, { sync: true }),
  });
  const submit = form.onSubmit((values) =>
    start.mutate(values, {
      onSuccess: onDone,
      onError: (error) => showRefusal(form, 'Nothing was changed', error),
    }),
  );
  return (
    <DialogForm onSubmit={submit} submitLabel="Continue" isPending={start.isPending}>
      <Text>You need an authenticator app on your phone, such as Aegis or Google Authenticator.</Text>
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('password')}
      />
    </DialogForm>
  );
}

interface FirstCodeProps {
  readonly setUp: SecondFactorSetUp;
  readonly onDone: (codes: readonly string[]) => void;
}

function FirstCode({ setUp, onDone }: FirstCodeProps) {
  const enable = useEnableSecondFactor();
  const form = useForm({
    initialValues: { code: '' },
    validate: schemaResolver(secondFactorCodeInputSchema, { sync: true }),
  });
  const submit = form.onSubmit((values) =>
    enable.mutate(values, {
      onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
      onError: (error) => showRefusal(form, 'Nothing was changed', error),
    }),
  );
  return (
    <DialogForm onSubmit={submit} submitLabel="Turn on" isPending={enable.isPending}>
      <Text>
        Scan this with your app, or type the key into it. Then enter the code that the app shows. Turning it
        on signs you out on your other devices.
      </Text>
      <img className={classes.qrCode} src={setUp.qrCode} alt="QR code of the key" />
      <Text className={classes.key} translate="no">
        {setUp.secret.match(/.{1,4}/g)?.join(' ')}
      </Text>
      <CodeInput
        data-autofocus
        description="Six digits of your authenticator app."
        {...form.getInputProps('code')}
      />
    </DialogForm>
  );
}

function Renew({ onClose }: StepProps) {
  const renew = useRenewRecoveryCodes();
  const form = useForm({
    initialValues: { code: '' },
    validate: schemaResolver(secondFactorCodeInputSchema, { sync: true }),
  });
  if (renew.data) return <RecoveryCodes codes={renew.data.recoveryCodes} onClose={onClose} />;
  const give = (given: SecondFactorInput) =>
    renew.mutate(given, { onError: (error) => showRefusal(form, 'Nothing was changed', error) });
  return (
    <DialogForm onSubmit={form.onSubmit(give)} submitLabel="Show new codes" isPending={renew.isPending}>
      <Text>The old recovery codes stop working.</Text>
      <CodeInput data-autofocus {...form.getInputProps('code')} />
      <PasskeyInstead isPending={renew.isPending} onGiven={(passkey) => give({ passkey })} />
    </DialogForm>
  );
}

function Disable({ onClose }: StepProps) {
  const disable = useDisableSecondFactor();
  const form = useForm({
    initialValues: { password: '', code: '' },
    validate: schemaResolver(disableSecondFactorInputSchema, { sync: true }),
  });
  const give = (given: DisableSecondFactorInput) =>
    disable.mutate(given, {
      onSuccess: () => {
        onClose();
        toasts.success('Second factor turned off', 'Your password alone signs you in now.');
      },
      onError: (error) => showRefusal(form, 'Nothing was changed', error),
    });
  return (
    <DialogForm
      onSubmit={form.onSubmit(give)}
      submitLabel="Turn off"
      isDangerous
      isPending={disable.isPending}
    >
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('password')}
      />
      <CodeInput {...form.getInputProps('code')} />
      <PasskeyInstead isPending={disable.isPending} onGiven={(passkey) => give({ passkey })} />
    </DialogForm>
  );
}

function RecoveryCodes({ codes, onClose }: StepProps & { codes: readonly string[] }) {
  return (
    <Stack>
      <Alert color="yellow" variant="light" role="status" title="Keep these codes in a safe place">
        Each signs you in once if you lose your phone. They are not shown again.
      </Alert>
      <ul className={classes.recoveryCodes} aria-label="Recovery codes" translate="no">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group justify="flex-end">
        <Button onClick={onClose}>I have kept them</Button>
      </Group>
    </Stack>
  );
}
