import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { Health, JobHealth, WebhookHealth } from '#contract/oversight/operations.ts';
import { PROVIDER_NAMES } from '#contract/people/sellers.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Facts } from '#web/components/facts.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { Surface } from '#web/components/surface.tsx';
import { formatDateTime } from '#web/lib/format.ts';
import { DataTable, DataTableSkeleton } from './data-table.tsx';
import { InstallationChecks } from './installation-checks.tsx';
import { Panel } from './panel.tsx';
import { useHealth } from './queries.ts';
import type { Column } from './table-types.ts';
import { durationWords, JOB_STATES, plainWords, TRANSPORT_WORDS } from './wording.ts';

const when = (instant: string | null) => (instant === null ? t`Never` : formatDateTime(instant));

const JOB_COLUMNS: readonly Column<JobHealth>[] = [
  { title: t`Job`, render: ({ name }) => plainWords(name) },
  {
    title: t`State`,
    render: ({ state }) => <ToneBadge tone={JOB_STATES[state].tone}>{JOB_STATES[state].word}</ToneBadge>,
  },
  { title: t`Schedule`, render: ({ cron }) => <code>{cron}</code> },
  { title: t`Last run`, render: ({ lastStartedAt }) => when(lastStartedAt) },
  { title: t`Last success`, render: ({ lastSucceededAt }) => when(lastSucceededAt) },
  {
    title: t`Duration`,
    render: ({ lastDurationMs }) => (lastDurationMs === null ? '–' : durationWords(lastDurationMs)),
    isNumber: true,
  },
  {
    title: t`Error`,
    render: ({ lastError }) => lastError ?? t({ context: 'error', message: 'None' }),
    isLong: true,
  },
];

const WEBHOOK_COLUMNS: readonly Column<WebhookHealth>[] = [
  { title: t`Provider`, render: ({ provider }) => PROVIDER_NAMES[provider] },
  {
    title: t`State`,
    render: ({ failing, waiting }) =>
      failing > 0 ? (
        <ToneBadge tone="danger">
          <Trans>Failing</Trans>
        </ToneBadge>
      ) : waiting > 0 ? (
        <ToneBadge tone="warning">
          <Trans>Waiting</Trans>
        </ToneBadge>
      ) : (
        <ToneBadge tone="success">
          <Trans>OK</Trans>
        </ToneBadge>
      ),
  },
  { title: t`Last 24 hours`, render: ({ received24h }) => received24h, isNumber: true },
  { title: t`Waiting`, render: ({ waiting }) => waiting, isNumber: true },
  { title: t`Failing`, render: ({ failing }) => failing, isNumber: true },
  { title: t`Last event`, render: ({ lastReceivedAt }) => when(lastReceivedAt) },
  {
    title: t`Error`,
    render: ({ lastError }) => lastError ?? t({ context: 'error', message: 'None' }),
    isLong: true,
  },
];

const GIVEN_UP_COLUMNS: readonly Column<Health['newCodes']['givenUp'][number]>[] = [
  { title: t`Coupon`, render: ({ couponId }) => <Link to={paths.coupon(couponId)}>#{couponId}</Link> },
  { title: t`Merchant`, render: ({ merchant }) => merchant },
  { title: t({ context: 'code', message: 'Given up' }), render: ({ at }) => when(at) },
];

/** The checks of the installation, and the health of jobs, webhooks and mail. */
export function SystemPanel() {
  const read = useHealth();
  return (
    <Panel read={read} failure={t`Failed to load the health of the system`} skeleton={<SystemSkeleton />}>
      {({ lastChecks, jobs, webhooks, mail, newCodes }) => (
        <Stack gap={24}>
          <InstallationChecks last={lastChecks} />
          <section aria-labelledby="jobs">
            <Title order={2} size="h4" id="jobs" mb="sm">
              <Trans>Jobs</Trans>
            </Title>
            {jobs.length === 0 ? (
              <EmptyState title={t`No jobs`} text={t`No job has reported yet.`} titleOrder={3} />
            ) : (
              <DataTable label={t`Jobs`} columns={JOB_COLUMNS} rows={jobs} rowKey={({ name }) => name} />
            )}
          </section>
          <section aria-labelledby="webhooks">
            <Title order={2} size="h4" id="webhooks" mb="sm">
              <Trans>Webhooks</Trans>
            </Title>
            {webhooks.length === 0 ? (
              <Text c="dimmed">
                <Trans>No payment provider is set up.</Trans>
              </Text>
            ) : (
              <DataTable
                label={t`Webhooks`}
                columns={WEBHOOK_COLUMNS}
                rows={webhooks}
                rowKey={({ provider }) => provider}
              />
            )}
          </section>
          <Mail mail={mail} />
          <NewCodes newCodes={newCodes} />
        </Stack>
      )}
    </Panel>
  );
}

function Mail({ mail }: { mail: Health['mail'] }) {
  const facts = [
    { name: t`Transport`, value: TRANSPORT_WORDS[mail.transport] },
    { name: t`Waiting`, value: mail.waiting },
    { name: t({ context: 'emails', message: 'Given up' }), value: mail.failed },
    { name: t`Last sent`, value: when(mail.lastSentAt) },
  ];
  return (
    <Surface component="section" aria-labelledby="mail">
      <Title order={2} size="h4" id="mail" mb="sm">
        <Trans>Mail</Trans>
      </Title>
      <Facts layout="columns" facts={facts} />
    </Surface>
  );
}

/** New codes that merchants make when coupons change hands. */
function NewCodes({ newCodes: { waiting, givenUp } }: { newCodes: Health['newCodes'] }) {
  return (
    <section aria-labelledby="new-codes">
      <Title order={2} size="h4" id="new-codes" mb="sm">
        <Trans>New codes</Trans>
      </Title>
      <Text c="dimmed" mb="sm">
        {plural(waiting, {
          0: 'No code is being made.',
          one: '# code is being made.',
          other: '# codes are being made.',
        })}
      </Text>
      {givenUp.length > 0 && (
        <>
          <Text mb="sm">
            <Trans>
              We could not restore the old codes of these coupons. Ask the merchants which code works.
            </Trans>
          </Text>
          <DataTable
            label={t({ context: 'codes', message: 'Given up' })}
            columns={GIVEN_UP_COLUMNS}
            rows={givenUp}
            rowKey={({ couponId, at }) => `${couponId} ${at}`}
          />
        </>
      )}
    </section>
  );
}

function SystemSkeleton() {
  return (
    <Stack gap={24} aria-hidden="true">
      <Skeleton height={20} width={80} />
      <DataTableSkeleton columns={JOB_COLUMNS} />
      <Skeleton height={20} width={110} />
      <DataTableSkeleton columns={WEBHOOK_COLUMNS} />
    </Stack>
  );
}
