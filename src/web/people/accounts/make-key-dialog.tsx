import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Alert,
  Button,
  Checkbox,
  Group,
  Input,
  NativeSelect,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import {
  type ApiScope,
  makeApiKeyInputSchema,
  PRESET_SCOPES,
  SCOPE_GROUPS,
  type ScopeGroup,
} from '#contract/people/api-keys.ts';
import { hasRole, type UserRole } from '#contract/people/roles.ts';
import { CopyButton } from '#web/components/copy-button.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { PasswordField } from '#web/components/password-field.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import classes from './accounts.module.css';
import { type Access, accessIn, groupNames, withAccess } from './key-scopes.ts';
import { PasskeyInstead } from './passkey-instead.tsx';

const DAYS = [7, 30, 90, 365] as const;

/** What people with this role can choose. */
function groupsFor(role: UserRole): readonly ScopeGroup[] {
  return SCOPE_GROUPS.filter(
    (group) =>
      (group !== 'moderation' || hasRole(role, 'moderator')) && (group !== 'admin' || hasRole(role, 'admin')),
  );
}

/** Makes a key for a program, after the password or a passkey, and shows it this once. */
export function Component({ role, onClose }: { role: UserRole; onClose: () => void }) {
  const make = trpc.apiKeys.make.useMutation({ gcTime: 0 });
  const { form, submit, send, isPending } = useSendForm({
    schema: makeApiKeyInputSchema,
    initial: { name: '', scopes: [...PRESET_SCOPES] as ApiScope[], days: 90, password: '' },
    mutation: make,
    staysOpen: true,
    failed: [t`Key not made`],
    secrets: ['password'],
  });
  const { name, scopes, days } = form.values;
  const names = groupNames();
  const accesses: { value: Access; label: string }[] = [
    { value: 'none', label: t`Nothing` },
    { value: 'see', label: t`See` },
    { value: 'change', label: t`See and change` },
  ];
  const setScopes = (chosen: ApiScope[]) => form.setFieldValue('scopes', chosen);
  if (make.data) return <MadeKey token={make.data.token} onClose={onClose} />;
  return (
    <Dialog title={t`Make a key`}>
      <DialogForm onSubmit={submit} submitLabel={t`Make the key`} isPending={isPending}>
        <TextInput
          label={t`Name`}
          description={t`The program it is for, such as “Accounting”.`}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Input.Wrapper label={t`What the program can do`} labelElement="div" error={form.errors.scopes}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" mt="xs">
            {groupsFor(role).map((group) => (
              <NativeSelect
                key={group}
                label={names[group]}
                data={accesses}
                value={accessIn(scopes, group)}
                onChange={({ currentTarget: { value } }) =>
                  setScopes(withAccess(scopes, group, value as Access))
                }
              />
            ))}
          </SimpleGrid>
        </Input.Wrapper>
        <Checkbox
          label={t`Also show the codes of my coupons`}
          description={t`We record each code that the program gets.`}
          checked={scopes.includes('codes:read')}
          onChange={({ currentTarget: { checked } }) => {
            const others = scopes.filter((scope) => scope !== 'codes:read');
            setScopes(checked ? [...others, 'codes:read'] : others);
          }}
        />
        <NativeSelect
          label={t`How long it works`}
          data={DAYS.map((count) => ({ value: String(count), label: t`${count} days` }))}
          value={String(days)}
          onChange={({ currentTarget: { value } }) => form.setFieldValue('days', Number(value))}
        />
        <PasswordField
          label={t`Your password`}
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <PasskeyInstead
          isPending={isPending}
          onGiven={(passkey) => {
            const isWrong = ['name', 'scopes'].some((field) => form.validateField(field).hasError);
            if (!isWrong) void send({ name, scopes, days, passkey });
          }}
        />
      </DialogForm>
    </Dialog>
  );
}

function MadeKey({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <Dialog title={t`Your new key`}>
      <Stack>
        <Alert color="yellow" variant="light" role="status" title={t`Copy the key now`}>
          <Trans>
            We will not show it again. Anyone who has it can do what you have chosen in your name, so give it
            only to the program.
          </Trans>
        </Alert>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the key can be selected by keyboard */}
        <output className={classes.key} aria-label={t`Key`} tabIndex={0} translate="no">
          {token}
        </output>
        <Text size="sm" c="dimmed">
          <Trans>Programs send it as “Authorization: Bearer”, followed by the key.</Trans>
        </Text>
        <Group justify="flex-end">
          <CopyButton
            text={token}
            variant="default"
            done={[t`Key copied`, t`Put it where the program keeps its secrets.`]}
            failed={[t`Key not copied`, t`Select the key and copy it by hand.`]}
          >
            <Trans>Copy key</Trans>
          </CopyButton>
          <Button onClick={onClose}>
            <Trans>I have saved it</Trans>
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
