import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Group, Text, Title } from '@mantine/core';
import { IconStethoscope } from '@tabler/icons-react';
import { useState } from 'react';
import type { Check, Checks, Health } from '#contract/oversight/operations.ts';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { writeErrorText } from '#web/lib/errors.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import classes from './admin.module.css';
import { DataTable } from './data-table.tsx';
import type { Column } from './table-types.ts';
import { CHECK_STATES } from './wording.ts';

const COLUMNS: readonly Column<Check>[] = [
  { title: t`Check`, render: ({ name }) => name },
  {
    title: t`State`,
    render: ({ state }) => <ToneBadge tone={CHECK_STATES[state].tone}>{CHECK_STATES[state].word}</ToneBadge>,
  },
  { title: t`Found`, render: ({ found }) => found, isLong: true },
  {
    title: t`What to do`,
    render: ({ advice }) => <span className={classes.lines}>{advice ?? t`Nothing`}</span>,
    isLong: true,
  },
];

/** What is broken first, what is good last. */
const ORDER: readonly Check['state'][] = ['broken', 'attention', 'good', 'not_set_up'];

const sorted = ({ checks }: Checks) =>
  [...checks].sort((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state));

/** Runs the checks of the installation, and shows what they have found. */
export function InstallationChecks({ last }: { last: Health['lastChecks'] }) {
  const [sendsMail, setSendsMail] = useState(false);
  const run = trpc.operations.checks.useMutation();
  const press = () =>
    run.mutate(
      { sendsMail },
      {
        onError: (error) =>
          toasts.failure(t`The checks did not run`, writeErrorText(error, t`Please try again.`)),
      },
    );
  return (
    <section aria-labelledby="health">
      <Title order={2} size="h4" id="health" mb={4}>
        <Trans>Health</Trans>
      </Title>
      <Text c="dimmed" mb="sm">
        <Trans>
          Checks settings, the public address, proxies, the database, storage, email, payment providers and
          backups, and tells you what to do.
        </Trans>{' '}
        {last && <LastRun last={last} />}
      </Text>
      <Group gap="md" mb="sm">
        <Button
          leftSection={<IconStethoscope size={18} aria-hidden="true" />}
          loading={run.isPending}
          onClick={press}
        >
          <Trans>Run checks</Trans>
        </Button>
        <Checkbox
          label={t`Send me a test email`}
          checked={sendsMail}
          onChange={(event) => setSendsMail(event.currentTarget.checked)}
        />
      </Group>
      <div role="status">
        {run.data && (
          <DataTable label={t`Checks`} columns={COLUMNS} rows={sorted(run.data)} rowKey={({ id }) => id} />
        )}
      </div>
    </section>
  );
}

function LastRun({ last: { ranAt, broken, attention } }: { last: NonNullable<Health['lastChecks']> }) {
  const when = formatDateTime(ranAt);
  if (broken > 0)
    return plural(broken, {
      one: `Last run: ${when}. # check found something broken.`,
      other: `Last run: ${when}. # checks found something broken.`,
    });
  if (attention > 0)
    return plural(attention, {
      one: `Last run: ${when}. # check needs attention.`,
      other: `Last run: ${when}. # checks need attention.`,
    });
  return <Trans>Last run: {when}. Nothing was broken.</Trans>;
}
