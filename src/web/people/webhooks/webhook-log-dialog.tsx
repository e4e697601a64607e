import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Code, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { PageRef } from '#contract/base/primitives.ts';
import {
  DELIVERIES_KEPT_DAYS,
  type Delivery,
  type DeliveryProblem,
  type Webhook,
} from '#contract/people/webhooks.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { PagedList } from '#web/components/paged-list.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import rows from '#web/components/rows.module.css';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { formatDateTime } from '#web/lib/format.ts';
import { KEEP_PAGE } from '#web/lib/paged-list.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useMayAct } from '#web/lib/viewer.tsx';
import classes from './webhooks.module.css';

const PAGE_SIZE = 10;
/** How often the log is read again while something is about to be sent. */
const LOOK_EVERY_MS = 2_000;
/** What is due in a shorter time is about to be sent. */
const SOON_MS = 30_000;

/** Why nothing was accepted, where no status says it. */
const PROBLEMS: Record<Exclude<DeliveryProblem, 'refused'>, string> = {
  not_public: t`The address is not one that everyone on the internet can reach.`,
  unknown_host: t`There is no such host.`,
  not_reached: t`Your program could not be reached.`,
  too_slow: t`Your program took too long to answer.`,
  redirect: t`Your program answered with another address. We do not follow it.`,
};

/** What was sent to a webhook, and how it went. */
export function Component({ webhook: { id, url, disabledAt } }: { webhook: Webhook }) {
  const [page, setPage] = useState<PageRef>(1);
  const query = trpc.webhooks.deliveries.useQuery(
    { id, page, limit: PAGE_SIZE },
    {
      ...KEEP_PAGE,
      refetchInterval: ({ state }) => (state.data?.items.some(isSoon) ? LOOK_EVERY_MS : false),
    },
  );
  const mayRepeat = useMayAct() && disabledAt === null;
  return (
    <Dialog title={t`Log of your webhook`} size="xl">
      <Stack>
        <Text c="dimmed" className={classes.words} translate="no">
          {url}
        </Text>
        <PagedList
          query={query}
          page={page}
          pageSize={PAGE_SIZE}
          onChange={setPage}
          label={t`Log`}
          errorTitle={t`Error loading the log`}
          skeleton={<Skeleton height={240} radius="md" />}
          empty={
            <Text>
              <Trans>Nothing was sent in the last {DELIVERIES_KEPT_DAYS} days.</Trans>
            </Text>
          }
        >
          {(deliveries) => (
            <PlainList className={rows.list} aria-label={t`Log`}>
              {deliveries.map((delivery) => (
                <DeliveryRow key={delivery.id} webhookId={id} delivery={delivery} mayRepeat={mayRepeat} />
              ))}
            </PlainList>
          )}
        </PagedList>
      </Stack>
    </Dialog>
  );
}

function isSoon({ nextAt }: Delivery): boolean {
  return nextAt !== null && Date.parse(nextAt) - Date.now() < SOON_MS;
}

interface DeliveryRowProps {
  readonly webhookId: number;
  readonly delivery: Delivery;
  readonly mayRepeat: boolean;
}

function DeliveryRow({ webhookId, delivery, mayRepeat }: DeliveryRowProps) {
  const { id: deliveryId, type, createdAt, attempts, body } = delivery;
  const [isOpen, setIsOpen] = useState(false);
  const again = trpc.webhooks.sendAgain.useMutation({
    onSuccess: () => toasts.success(t`Sent again`),
    onError: (error) => toasts.failed(error, t`Not sent again`),
  });
  return (
    <li className={classes.delivery}>
      <Group gap="xs">
        <Code>{type}</Code>
        <State delivery={delivery} />
      </Group>
      <Text size="sm" c="dimmed" className="tabular">
        {t`${formatDateTime(createdAt)} · ${plural(attempts, { one: '# attempt', other: '# attempts' })}`}
      </Text>
      <Answer delivery={delivery} />
      {isOpen && (
        <pre className={classes.body} translate="no">
          {JSON.stringify(JSON.parse(body), null, 2)}
        </pre>
      )}
      <Group gap="xs" mt={4}>
        <Button size="compact-md" variant="default" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? t`Hide what was sent` : t`Show what was sent`}
        </Button>
        {mayRepeat && (
          <Button
            size="compact-md"
            variant="default"
            loading={again.isPending}
            onClick={() => again.mutate({ id: webhookId, deliveryId })}
          >
            <Trans>Send again</Trans>
          </Button>
        )}
      </Group>
    </li>
  );
}

function State({ delivery: { deliveredAt, nextAt, attempts } }: { delivery: Delivery }) {
  if (deliveredAt !== null)
    return <ToneBadge tone="success">{t({ context: 'delivery', message: 'Accepted' })}</ToneBadge>;
  if (nextAt === null)
    return <ToneBadge tone="danger">{t({ context: 'delivery', message: 'Given up' })}</ToneBadge>;
  if (attempts === 0) return <ToneBadge tone="neutral">{t`Waiting`}</ToneBadge>;
  return <ToneBadge tone="warning">{t`Next attempt ${formatDateTime(nextAt)}`}</ToneBadge>;
}

function Answer({ delivery: { lastStatus, lastProblem } }: { delivery: Delivery }) {
  if (lastStatus === null && lastProblem === null) return null;
  return (
    <Text size="sm">
      {lastProblem === null || lastProblem === 'refused'
        ? t`Your program answered with status ${String(lastStatus)}.`
        : PROBLEMS[lastProblem]}
    </Text>
  );
}
