import { plural, t } from '@lingui/core/macro';
import { Button, Checkbox, Group } from '@mantine/core';
import type { Report } from '#contract/oversight/moderation.ts';
import { openDialog } from '#web/lib/open-dialog.ts';

interface SelectedReportsProps {
  /** The pending reports on screen. */
  readonly pending: readonly Report[];
  readonly selected: readonly Report[];
  readonly onSelect: (reports: readonly Report[]) => void;
}

/** Selects the pending reports on screen, and opens the decision on the selected ones. */
export function SelectedReports({ pending, selected, onSelect }: SelectedReportsProps) {
  const isAll = selected.length === pending.length;
  return (
    <Group justify="space-between" gap="sm" mb="sm">
      <Checkbox
        label={t`Select all pending reports of this page`}
        checked={isAll}
        indeterminate={!isAll && selected.length > 0}
        onChange={() => onSelect(isAll ? [] : pending)}
      />
      <Button
        variant="default"
        aria-haspopup="dialog"
        styles={{ label: { whiteSpace: 'normal' } }}
        disabled={selected.length === 0}
        onClick={() => openDialog('reviewReports', { reports: selected })}
      >
        {selected.length === 0
          ? t`Select reports to review together`
          : plural(selected.length, { one: 'Review # report', other: 'Review # reports together' })}
      </Button>
    </Group>
  );
}
