import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { listed } from '#contract/base/locale.ts';
import type { ValidatorList } from '#contract/oversight/sources.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { formatDateTime } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';
import { DataTable } from './data-table.tsx';
import { Panel } from './panel.tsx';
import { useValidators } from './queries.ts';
import { SourceActions, SourcesHeader } from './source-actions.tsx';
import { VALIDATOR_NAMES } from './source-words.ts';
import type { Column } from './table-types.ts';

type ValidatorRow = ValidatorList['validators'][number];

/** The merchants' own programmes: who confirms whose codes. */
export function ValidatorsPanel() {
  return (
    <section aria-labelledby="setting-validators">
      <Title order={2} size="h4" id="setting-validators" tabIndex={-1}>
        <Trans>Validators</Trans>
      </Title>
      <Text c="dimmed" size="sm" mb="sm">
        <Trans>
          The accounts that confirm codes, and their merchants. Anyone with access to an account sees these
          codes.
        </Trans>
      </Text>
      <Panel
        read={useValidators()}
        failure={t`Failed to load the validators`}
        skeleton={<Skeleton height={120} radius="md" aria-hidden="true" />}
      >
        {(list) => <ValidatorTable list={list} />}
      </Panel>
    </section>
  );
}

const COLUMNS: readonly Column<ValidatorRow>[] = [
  { title: t`Validator`, render: ({ name }) => <Text fw={600}>{name}</Text> },
  { title: t`State`, render: (row) => <State row={row} /> },
  { title: t`Provider`, render: ({ source }) => VALIDATOR_NAMES[source] },
  { title: t`Merchants`, render: ({ merchants }) => listed(merchants), isLong: true },
  { title: t`Listed coupons`, render: ({ coupons }) => coupons, isNumber: true },
  {
    title: t`Last answer`,
    render: ({ lastAnswerAt }) => (lastAnswerAt === null ? t`None in 7 days` : formatDateTime(lastAnswerAt)),
  },
  { title: t`Not reached`, render: ({ unanswered }) => unanswered, isNumber: true },
  {
    title: t`Problem`,
    render: ({ problem }) => problem ?? t({ context: 'problem', message: 'None' }),
    isLong: true,
  },
];

function State({ row: { validator, problem, answered, unanswered } }: { row: ValidatorRow }) {
  if (validator?.isPaused) return <ToneBadge tone="neutral">{t`Paused`}</ToneBadge>;
  if (problem !== null || unanswered > answered) return <ToneBadge tone="danger">{t`Failing`}</ToneBadge>;
  if (answered === 0) return <ToneBadge tone="neutral">{t`Not asked yet`}</ToneBadge>;
  return <ToneBadge tone="success">{t`OK`}</ToneBadge>;
}

function ValidatorTable({ list }: { list: ValidatorList }) {
  const { validators, lockedBy, changeId, allowed } = list;
  if (lockedBy === null && allowed.length === 0 && validators.length === 0)
    return (
      <EmptyState
        title={t`Validators cannot be set up here yet`}
        text={t`The operator first has to allow the addresses that codes may be sent to, in VALIDATOR_ORIGINS in the server’s environment.`}
        titleOrder={3}
      />
    );
  const actions: Column<ValidatorRow> = {
    title: t`Actions`,
    render: (row) => <ValidatorActions row={row} follows={changeId} />,
  };
  return (
    <Stack gap="sm">
      <SourcesHeader
        name="validators"
        list={list}
        addLabel={t`Add a validator`}
        onAdd={() => openDialog('validator', { follows: changeId, allowed })}
      />
      {validators.length > 0 && (
        <DataTable
          label={t`Validators`}
          columns={[...COLUMNS, actions]}
          rows={validators}
          rowKey={({ name }) => name}
        />
      )}
    </Stack>
  );
}

function ValidatorActions({ row, follows }: { row: ValidatorRow; follows: number | null }) {
  const { name, validator } = row;
  const put = trpc.sources.putValidator.useMutation();
  const remove = trpc.sources.removeValidator.useMutation();
  if (!validator) return null;
  return (
    <SourceActions
      name={name}
      isPaused={validator.isPaused}
      onChange={() => openDialog('validator', { row, follows })}
      pausing={{
        text: t`We no longer check codes with it: its merchants’ codes are checked by format only.`,
        act: (isPaused) => put.mutateAsync({ validator: { ...validator, isPaused }, isNew: false, follows }),
      }}
      removing={{
        text: t`We no longer check codes with it: its merchants’ codes are checked by format only. Coupons that it has confirmed stay verified.`,
        act: () => remove.mutateAsync({ name, follows }),
      }}
    />
  );
}
