import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { listed } from '#contract/base/locale.ts';
import type { ApiKey, ScopeGroup } from '#contract/people/api-keys.ts';
import type { UserRole } from '#contract/people/roles.ts';
import { PlainList } from '#web/components/plain-list.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import rows from '#web/components/rows.module.css';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { formatDate, formatDateTime } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';
import classes from './accounts.module.css';
import { type Access, accessIn, groupNames } from './key-scopes.ts';

const LIST_ID = 'keys-list';

/** The viewer's keys for programs, with buttons that make and revoke them. */
export function KeySettings({ role }: { role: UserRole }) {
  const query = trpc.apiKeys.list.useQuery();
  return (
    <QueryContent
      query={query}
      errorTitle={t`Error loading your keys`}
      skeleton={<Skeleton height={84} radius="md" aria-hidden="true" />}
    >
      {(keys) => (
        <Stack id={LIST_ID} tabIndex={-1}>
          {keys.length === 0 ? (
            <Text c="dimmed">
              <Trans>You have no keys yet.</Trans>
            </Text>
          ) : (
            <PlainList className={rows.list} aria-label={t`Keys for programs`}>
              {keys.map((apiKey) => (
                <KeyRow key={apiKey.id} apiKey={apiKey} />
              ))}
            </PlainList>
          )}
          <Group>
            <Button variant="default" aria-haspopup="dialog" onClick={() => openDialog('makeKey', { role })}>
              <Trans>Make a key</Trans>
            </Button>
          </Group>
        </Stack>
      )}
    </QueryContent>
  );
}

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { id, name, hint, expiresAt, isExpired, lastUsedAt, webhooks, reads, writes } = apiKey;
  const revoke = trpc.apiKeys.revoke.useMutation();
  const askToRevoke = () => {
    let removesWebhooks = webhooks.length > 0;
    return openDialog(
      'confirm',
      {
        title: t`Revoke this key?`,
        text: (
          <>
            {t`Programs that use “${name}” stop working at once. This cannot be undone.`}
            {webhooks.length > 0 && (
              <Checkbox
                mt="md"
                defaultChecked
                onChange={(event) => {
                  removesWebhooks = event.currentTarget.checked;
                }}
                label={t`Remove the webhooks it has added, too`}
                description={listed(webhooks)}
              />
            )}
          </>
        ),
        confirmLabel: t`Revoke`,
        isDangerous: true,
        act: () => revoke.mutateAsync({ id, removesWebhooks }),
        done: [t`Key revoked`, t`“${name}” no longer works.`],
        failed: [t`Key not revoked`],
      },
      { focusAfter: [LIST_ID] },
    );
  };
  return (
    <li className={classes.device}>
      <span className={classes.sign} aria-hidden="true">
        <IconKey size={20} />
      </span>
      <div className={classes.words}>
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          {isExpired && (
            <ToneBadge tone="neutral">
              <Trans context="key">Expired</Trans>
            </ToneBadge>
          )}
        </Group>
        <Text size="sm" c="dimmed" className="tabular">
          {lastUsedAt === null
            ? t`Ends in ${hint} · not used yet`
            : t`Ends in ${hint} · last used ${formatDateTime(lastUsedAt)}`}
        </Text>
        <Text size="sm" c="dimmed" className="tabular">
          {isExpired ? t`Worked until ${formatDateTime(expiresAt)}` : t`Works until ${formatDate(expiresAt)}`}
        </Text>
        {!isExpired && (
          <Text size="sm" c="dimmed" className="tabular">
            {t`Left this minute: ${reads.left} of ${reads.aMinute} reads, ${writes.left} of ${writes.aMinute} changes`}
          </Text>
        )}
        <Rights apiKey={apiKey} />
        {webhooks.length > 0 && <Text size="sm">{t`Has added webhooks: ${listed(webhooks)}`}</Text>}
      </div>
      <Group gap="xs" className={classes.acts}>
        <Button size="compact-md" variant="default" aria-haspopup="dialog" onClick={askToRevoke}>
          <Trans>
            Revoke
            <VisuallyHidden> {name}</VisuallyHidden>
          </Trans>
        </Button>
      </Group>
    </li>
  );
}

/** What a key allows, in a line or two. */
function Rights({ apiKey: { scopes } }: { apiKey: ApiKey }) {
  const names = groupNames();
  const of = (access: Access) =>
    (Object.keys(names) as ScopeGroup[])
      .filter((group) => accessIn(scopes, group) === access)
      .map((group) => names[group]);
  const seen = [...of('see'), ...(scopes.includes('codes:read') ? [t`Codes`] : [])];
  const changed = of('change');
  return (
    <>
      {seen.length > 0 && <Text size="sm">{t`Can see: ${listed(seen)}`}</Text>}
      {changed.length > 0 && <Text size="sm">{t`Can see and change: ${listed(changed)}`}</Text>}
    </>
  );
}
