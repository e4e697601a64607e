import { plural, t } from '@lingui/core/macro';
import { use, useState } from 'react';
import { z } from 'zod';
import type { RowOutcome } from '#contract/base/tables.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { labelled } from '#contract/base/words.ts';
import {
  REPORT_ACTIONS,
  type Report,
  type ReportAction,
  reviewReportsInputSchema,
} from '#contract/oversight/moderation.ts';
import { ChoiceField, ReasonField, SuspensionField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { isAllDone, RowNames, RowOutcomes } from '#web/components/row-outcomes.tsx';
import { DialogPlace } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { ACTION_WORDS, REASON_WORDS, SEVERAL_CONSEQUENCES } from './wording.ts';

const formSchema = reviewReportsInputSchema.extend({
  action: z.enum(REPORT_ACTIONS, t`Choose an action`),
});

/** Decides several reports in the same way, with one reason; then it says which were left, and why. */
export function Component({ reports }: { reports: readonly Report[] }) {
  const { close } = use(DialogPlace);
  const [outcomes, setOutcomes] = useState<readonly RowOutcome[] | null>(null);
  const { form, submit, isPending } = useSendForm({
    schema: formSchema,
    initial: {
      ids: reports.map(({ id }) => id),
      action: '' as ReportAction | '',
      notes: '',
      days: 7 as number | null,
    },
    mutation: trpc.moderation.reviewSeveral.useMutation(),
    staysOpen: true,
    done: (result, { action }) =>
      isAllDone(result.outcomes) ? [t`Reports reviewed`, ACTION_WORDS[action].done] : null,
    onDone: (result) => (isAllDone(result.outcomes) ? close() : setOutcomes(result.outcomes)),
    failed: [TEXTS.reports.actionFailed()],
  });
  const { action } = form.values;
  const nameOf = (id: number) => {
    const report = reports.find((known) => known.id === id);
    return report ? labelled(report.reportedUsername, REASON_WORDS[report.reason]) : `#${id}`;
  };
  return (
    <Dialog title={plural(reports.length, { one: 'Review # report', other: 'Review # reports' })} size="lg">
      {outcomes ? (
        <RowOutcomes outcomes={outcomes} nameOf={nameOf} />
      ) : (
        <DialogForm
          onSubmit={submit}
          isPending={isPending}
          submitLabel={action === '' ? t`Confirm action` : ACTION_WORDS[action].label}
          isDangerous={action === 'ban' || action === 'suspend'}
        >
          <RowNames names={reports.map(({ id }) => nameOf(id))} />
          <ChoiceField
            label={t`Action`}
            options={REPORT_ACTIONS.map((value) => ({
              value,
              label: ACTION_WORDS[value].label,
              description: SEVERAL_CONSEQUENCES[value],
            }))}
            input={form.getInputProps('action')}
          />
          {action === 'suspend' && (
            <SuspensionField days={form.values.days} onChange={(days) => form.setFieldValue('days', days)} />
          )}
          <ReasonField
            label={t`Reason`}
            description={t`We record it in the audit log and send it to each of them, unless you dismiss the reports.`}
            input={form.getInputProps('notes')}
          />
        </DialogForm>
      )}
    </Dialog>
  );
}
