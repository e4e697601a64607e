import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NativeSelect, SegmentedControl } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { defineAddress, oneOf, searchText } from '#contract/base/address.ts';
import { REPORT_REASONS, type ReportStatus } from '#contract/oversight/moderation.ts';
import { SearchBox } from '#web/components/search-box.tsx';
import classes from './moderation.module.css';
import { REASON_WORDS } from './wording.ts';

/** Which reports are shown. */
export type ReportFilter = ReportStatus | 'all';

/** In display order; the first one is the default. */
const STATUSES = [
  { value: 'pending', label: t`Pending` },
  { value: 'resolved', label: t`Resolved` },
  { value: 'dismissed', label: t`Dismissed` },
  { value: 'all', label: t`All` },
] as const satisfies readonly { value: ReportFilter; label: string }[];

const REASONS = [
  { value: '', label: t`Any reason` },
  ...REPORT_REASONS.map((value) => ({ value, label: REASON_WORDS[value] })),
];

const SORTS = [
  { value: 'date-desc', label: t`Newest first` },
  { value: 'date-asc', label: t`Oldest first` },
] as const;

/** The filters of the reports in the address. */
export const REPORTS_ADDRESS = defineAddress({
  status: oneOf(STATUSES.map(({ value }) => value)),
  reason: oneOf([null, ...REPORT_REASONS]),
  person: searchText(),
  sort: oneOf(SORTS.map(({ value }) => value)),
});
export type ReportChoice = ReturnType<typeof REPORTS_ADDRESS.read>;

/** The choice as the calls take it. */
export function reportsInput({ status, reason, person, sort }: ReportChoice) {
  return { status, ...(reason && { reason }), ...(person !== '' && { person }), sort };
}

/** Whether the reports of every reason and person are shown. */
export const isAnyReport = ({ reason, person }: ReportChoice) => reason === null && person === '';

interface ReportFiltersProps {
  readonly choice: ReportChoice;
  readonly onChange: (change: Partial<ReportChoice>) => void;
}

/** What narrows the reports down, their order, and their export. */
export function ReportFilters({ choice, onChange }: ReportFiltersProps) {
  return (
    <>
      <SegmentedControl
        className={classes.filter}
        aria-label={t`Which reports`}
        value={choice.status}
        onChange={(status) => onChange({ status })}
        data={[...STATUSES]}
      />
      <Group gap="sm" mb="md">
        <SearchBox
          label={t`Reporter or reported person`}
          placeholder={t`Whole username`}
          value={choice.person}
          onSearch={(person) => onChange({ person })}
        />
        <NativeSelect
          aria-label={t`Reason`}
          value={choice.reason ?? ''}
          data={REASONS}
          onChange={({ currentTarget }) =>
            onChange({ reason: REPORT_REASONS.find((value) => value === currentTarget.value) ?? null })
          }
        />
        <NativeSelect
          aria-label={t`Order`}
          value={choice.sort}
          data={[...SORTS]}
          onChange={({ currentTarget }) =>
            onChange({ sort: SORTS.find(({ value }) => value === currentTarget.value)?.value })
          }
        />
        <Button
          component="a"
          href={`/api/reports.csv?${new URLSearchParams(reportsInput(choice))}`}
          download
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden="true" />}
        >
          <Trans>Export CSV</Trans>
        </Button>
      </Group>
    </>
  );
}
