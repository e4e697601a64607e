import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserShield } from '@tabler/icons-react';
import { identityInputSchema, removePasskeyInputSchema } from '#contract/people/accounts.ts';
import type { Identity, IdentityProvider } from '#contract/people/identities.ts';
import { PasswordField } from '#web/components/password-field.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import rows from '#web/components/rows.module.css';
import { formatDate, formatDateTime } from '#web/lib/format.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import classes from './accounts.module.css';
import { PasskeyInstead } from './passkey-instead.tsx';
import { useIdentities } from './queries.ts';

/** The services that sign the viewer in; links and removes them after the password or a passkey. */
export function IdentitySettings({ provider }: { provider: IdentityProvider }) {
  const query = useIdentities();
  return (
    <QueryContent
      query={query}
      errorTitle={t`Error loading your linked sign-ins`}
      skeleton={<Skeleton height={84} radius="md" aria-hidden="true" />}
    >
      {(identities) => (
        <Stack tabIndex={-1}>
          {identities.length > 0 && (
            <PlainList className={rows.list} aria-label={t`Linked sign-ins`}>
              {identities.map((identity) => (
                <IdentityRow key={identity.id} identity={identity} />
              ))}
            </PlainList>
          )}
          {!identities.some(({ isInUse }) => isInUse) && <NewLink provider={provider} />}
          <Text size="sm" c="dimmed">
            <Trans>
              If you have no password yet, sign out and choose “Forgot your password?” to get one by email.
              That also ends the link; you can link it again afterwards.
            </Trans>
          </Text>
        </Stack>
      )}
    </QueryContent>
  );
}

/** Goes on at the provider's page. */
function NewLink({ provider: { name, isAvailable } }: { provider: IdentityProvider }) {
  const [isOpen, { toggle }] = useDisclosure();
  const { form, submit, send, isPending } = useSendForm({
    schema: identityInputSchema,
    initial: { password: '' },
    mutation: trpc.identities.startLink.useMutation(),
    failed: [t`Nothing was changed`],
    onDone: ({ url }) => window.location.assign(url),
  });
  return (
    <>
      <Text c="dimmed">
        {isAvailable
          ? t`Your account is not linked to ${name} yet.`
          : t`${name} does not answer at the moment. Try again in a minute.`}
      </Text>
      {isOpen ? (
        <form onSubmit={submit} noValidate>
          <Stack maw={440}>
            <Text>
              <Trans>You sign in to {name} next. From then on, it opens your account here.</Trans>
            </Text>
            <PasswordField
              label={t`Your password`}
              autoComplete="current-password"
              autoFocus
              {...form.getInputProps('password')}
            />
            <PasskeyInstead isPending={isPending} onGiven={(passkey) => send({ passkey })} />
            <Group>
              <Button type="submit" loading={isPending}>
                <Trans>Continue</Trans>
              </Button>
              <Button variant="default" onClick={toggle}>
                <Trans>Cancel</Trans>
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Group>
          <Button variant="default" disabled={!isAvailable} onClick={toggle}>
            <Trans>Link {name}</Trans>
          </Button>
        </Group>
      )}
    </>
  );
}

function IdentityRow({ identity }: { identity: Identity }) {
  const { id, name, isInUse, createdAt, lastUsedAt } = identity;
  const [isOpen, { toggle }] = useDisclosure();
  const used =
    lastUsedAt === null
      ? t`Linked ${formatDate(createdAt)} · not used yet`
      : t`Linked ${formatDate(createdAt)} · last used ${formatDateTime(lastUsedAt)}`;
  return (
    <li>
      <div className={classes.device}>
        <span className={classes.sign} aria-hidden="true">
          <IconUserShield size={20} />
        </span>
        <div className={classes.words}>
          <Text fw={600}>{name}</Text>
          <Text size="sm" c="dimmed" className="tabular">
            {isInUse ? used : t`No longer signs you in here`}
          </Text>
        </div>
        <Group gap="xs" className={classes.acts}>
          <Button size="compact-md" variant="default" aria-expanded={isOpen} onClick={toggle}>
            {isOpen ? (
              <Trans>Cancel</Trans>
            ) : (
              <Trans>
                Remove
                <VisuallyHidden> {name}</VisuallyHidden>
              </Trans>
            )}
          </Button>
        </Group>
      </div>
      {isOpen && <Removal id={id} name={name} />}
    </li>
  );
}

function Removal({ id, name }: Pick<Identity, 'id' | 'name'>) {
  const { form, submit, send, isPending } = useSendForm({
    schema: removePasskeyInputSchema,
    initial: { id, password: '' },
    mutation: trpc.identities.remove.useMutation(),
    done: () => [t`Link removed`, t`You can no longer sign in with ${name}.`],
    failed: [t`Nothing was changed`],
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack maw={472} p={16} pt={0}>
        <Text>
          <Trans>
            You will no longer be able to sign in here with {name}. Your account there stays as it is.
          </Trans>
        </Text>
        <PasswordField
          label={t`Your password`}
          autoComplete="current-password"
          autoFocus
          {...form.getInputProps('password')}
        />
        <PasskeyInstead isPending={isPending} onGiven={(passkey) => send({ id, passkey })} />
        <Group>
          <Button type="submit" color="red" loading={isPending}>
            <Trans>Remove the link</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
