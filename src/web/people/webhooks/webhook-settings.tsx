import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import {
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { OLD_SECRET_HOURS, WEBHOOKS_MAX, type Webhook } from '#contract/people/webhooks.ts';
import { ActionMenu } from '#web/components/action-menu.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import rows from '#web/components/rows.module.css';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { formatDateTime } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useMayAct } from '#web/lib/viewer.tsx';
import { groupsOf } from './event-groups.ts';
import classes from './webhooks.module.css';

const LIST_ID = 'webhook-list';

/** The addresses at which the viewer's programs are told of their deals. */
export function WebhookSettings() {
  const query = trpc.webhooks.list.useQuery();
  const mayAct = useMayAct();
  return (
    <QueryContent
      query={query}
      errorTitle={t`Error loading your webhooks`}
      skeleton={<Skeleton height={84} radius="md" aria-hidden="true" />}
    >
      {(webhooks) => (
        <Stack id={LIST_ID} tabIndex={-1}>
          {webhooks.length === 0 ? (
            <Text c="dimmed">
              <Trans>You have no webhooks yet.</Trans>
            </Text>
          ) : (
            <PlainList className={rows.list} aria-label={t`Webhooks`}>
              {webhooks.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} mayAct={mayAct} />
              ))}
            </PlainList>
          )}
          {mayAct && webhooks.length < WEBHOOKS_MAX && (
            <Group>
              <Button variant="default" aria-haspopup="dialog" onClick={() => openDialog('webhook')}>
                <Trans>Add a webhook</Trans>
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </QueryContent>
  );
}

function WebhookRow({ webhook, mayAct }: { webhook: Webhook; mayAct: boolean }) {
  const { url, isForAll, events } = webhook;
  const actions = useActions(webhook, mayAct);
  const groups = groupsOf(events).join(' · ');
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <Group gap="xs">
          <Text fw={600} translate="no">
            {url}
          </Text>
          <State webhook={webhook} />
        </Group>
        <Text size="sm" c="dimmed">
          {isForAll ? t`Everything in this market: ${groups}` : groups}
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        <Button
          size="compact-md"
          variant="default"
          aria-haspopup="dialog"
          onClick={() => openDialog('webhookLog', { webhook })}
        >
          <Trans>
            See the log
            <VisuallyHidden> {url}</VisuallyHidden>
          </Trans>
        </Button>
        <ActionMenu name={t`More for ${url}`} actions={actions} />
      </Group>
    </li>
  );
}

function State({ webhook: { disabledAt, failingSince } }: { webhook: Webhook }) {
  if (disabledAt !== null)
    return <ToneBadge tone="neutral">{t`Off since ${formatDateTime(disabledAt)}`}</ToneBadge>;
  if (failingSince !== null)
    return <ToneBadge tone="danger">{t`Not accepted since ${formatDateTime(failingSince)}`}</ToneBadge>;
  return <ToneBadge tone="success">{t({ context: 'webhook', message: 'On' })}</ToneBadge>;
}

/** The rarer acts. Suspended and banned people can only remove it. */
function useActions({ id, url, disabledAt, ...webhook }: Webhook, mayAct: boolean) {
  const update = trpc.webhooks.update.useMutation();
  const renew = trpc.webhooks.renewSecret.useMutation();
  const remove = trpc.webhooks.remove.useMutation();
  const test = trpc.webhooks.sendTest.useMutation({
    onSuccess: () => toasts.success(t`Test sent`, t`See the log for what your program answered.`),
    onError: (error) => toasts.failed(error, t`Test not sent`),
  });
  const isOn = disabledAt === null;
  const toggle = () =>
    update.mutateAsync({ id, isOn: !isOn }).then(
      () => toasts.success(isOn ? t`Webhook switched off` : t`Webhook switched on`),
      (error: unknown) => toasts.failed(error, t`Webhook not changed`),
    );
  const askToRenew = () =>
    openDialog('confirm', {
      title: t`Renew the secret?`,
      text: t`You get a new secret for your program. We sign with the old one as well for ${OLD_SECRET_HOURS} hours.`,
      confirmLabel: t`Renew the secret`,
      act: async () => {
        const { secret } = await renew.mutateAsync({ id });
        void openDialog('webhookSecret', { secret });
      },
      failed: [t`Secret not renewed`],
    });
  const askToRemove = () =>
    openDialog(
      'confirm',
      {
        title: t`Remove this webhook?`,
        text: t`Nothing more is sent to ${url}, and its log is deleted.`,
        confirmLabel: t`Remove`,
        isDangerous: true,
        act: () => remove.mutateAsync({ id }),
        done: [t`Webhook removed`],
        failed: [t`Webhook not removed`],
      },
      { focusAfter: [LIST_ID] },
    );
  const act = (icon: typeof IconSend, label: string, onClick: () => unknown) => ({
    icon,
    label,
    name: label,
    onClick: () => void onClick(),
  });
  const own = { id, url, disabledAt, ...webhook };
  return [
    ...(mayAct
      ? [
          ...(isOn ? [act(IconSend, t`Send a test`, () => test.mutate({ id }))] : []),
          act(IconPencil, t`Change`, () => openDialog('webhook', { webhook: own })),
          act(IconKey, t`Renew the secret`, askToRenew),
          act(isOn ? IconPlayerPause : IconPlayerPlay, isOn ? t`Switch off` : t`Switch on`, toggle),
        ]
      : []),
    act(IconTrash, t`Remove`, askToRemove),
  ];
}
