import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import type { Passkey } from '#contract/people/passkeys.ts';
import { PlainList } from '#web/components/plain-list.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import rows from '#web/components/rows.module.css';
import { formatDate, formatDateTime } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { canUsePasskeys } from '#web/people/accounts/passkeys.ts';
import classes from './accounts.module.css';
import { usePasskeys } from './queries.ts';

/** The viewer's passkeys, with buttons that add, rename and remove them. */
export function PasskeySettings() {
  const query = usePasskeys();
  return (
    <QueryContent
      query={query}
      errorTitle={t`Error loading your passkeys`}
      skeleton={<Skeleton height={84} radius="md" aria-hidden="true" />}
    >
      {(passkeys) => (
        <Stack tabIndex={-1}>
          {passkeys.length === 0 ? (
            <Text c="dimmed">
              <Trans>You have no passkeys yet.</Trans>
            </Text>
          ) : (
            <PlainList className={rows.list} aria-label={t`Passkeys`}>
              {passkeys.map((passkey) => (
                <PasskeyRow key={passkey.id} passkey={passkey} />
              ))}
            </PlainList>
          )}
          {canUsePasskeys() ? (
            <Group>
              <Button variant="default" aria-haspopup="dialog" onClick={() => openDialog('addPasskey')}>
                <Trans>Add a passkey</Trans>
              </Button>
            </Group>
          ) : (
            <Text>
              <Trans>This browser does not support passkeys here.</Trans>
            </Text>
          )}
        </Stack>
      )}
    </QueryContent>
  );
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { name, createdAt, lastUsedAt } = passkey;
  return (
    <li className={classes.device}>
      <span className={classes.sign} aria-hidden="true">
        <IconFingerprint size={20} />
      </span>
      <div className={classes.words}>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed" className="tabular">
          {lastUsedAt === null
            ? t`Added ${formatDate(createdAt)} · not used yet`
            : t`Added ${formatDate(createdAt)} · last used ${formatDateTime(lastUsedAt)}`}
        </Text>
      </div>
      <Group gap="xs" className={classes.acts}>
        <Button
          size="compact-md"
          variant="default"
          aria-haspopup="dialog"
          onClick={() => openDialog('renamePasskey', { passkey })}
        >
          <Trans>
            Rename
            <VisuallyHidden> {name}</VisuallyHidden>
          </Trans>
        </Button>
        <Button
          size="compact-md"
          variant="default"
          aria-haspopup="dialog"
          onClick={() => openDialog('removePasskey', { passkey })}
        >
          <Trans>
            Remove
            <VisuallyHidden> {name}</VisuallyHidden>
          </Trans>
        </Button>
      </Group>
    </li>
  );
}
