import { Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { z } from 'zod';
import {
  REPORT_ACTIONS,
  type Report,
  type ReportAction,
  reviewReportInputSchema,
} from '#contract/moderation.ts';
import { TEXTS } from '#contract/texts.ts';
import { ChoiceField, ReasonField, SuspensionField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import classes from './moderation.module.css';
import { useReviewReport } from './queries.ts';
import { ACTION_WORDS, REASON_WORDS } from './wording.ts';

const formSchema = reviewReportInputSchema.extend({
  action: z.enum(REPORT_ACTIONS, 'Choose what is to happen'),
});

/** The form for a moderator's decision on a report (spec/3: Review dialog). A ban is confirmed once more. */
export function Component({ report, onClose }: { report: Report; onClose: () => void }) {
  const review = useReviewReport();
  const name = report.reportedUsername;
  const form = useForm<{ id: number; action: ReportAction | ''; notes: string; days: number | null }>({
    initialValues: { id: report.id, action: '', notes: '', days: 7 },
    validate: schemaResolver(formSchema, { sync: true }),
  });
  const answers = dialogAnswers({
    onClose,
    form,
    done: ({ message }: { message: string }) => ['Report reviewed', message],
    failedTitle: TEXTS.reports.actionFailed,
  });
  const send = (values: typeof form.values) =>
    review.mutateAsync(formSchema.parse(values)).then(answers.onSuccess, answers.onError);
  const submit = form.onSubmit((values) => {
    if (values.action !== 'ban') return send(values);
    openDialog('confirm', {
      title: `Ban ${name}?`,
      text: `${ACTION_WORDS.ban.consequence(name)} Only an admin can lift it.`,
      confirmLabel: `Ban ${name}`,
      pendingLabel: 'Banning …',
      cancelLabel: 'Go back',
      isDangerous: true,
      act: () => send(values),
    });
  });
  const { action } = form.values;
  return (
    <Dialog title="Review this report" size="lg">
      <DialogForm
        onSubmit={submit}
        isPending={review.isPending}
        submitLabel={action === '' ? 'Confirm action' : ACTION_WORDS[action].label}
        isDangerous={action === 'ban' || action === 'suspend'}
      >
        <Text>
          {report.reporterUsername} reports <strong>{name}</strong>: {REASON_WORDS[report.reason]}
        </Text>
        <blockquote className={classes.quote} dir="auto">
          {report.description}
        </blockquote>
        <ChoiceField
          label="Action"
          options={REPORT_ACTIONS.map((value) => ({
            value,
            label: ACTION_WORDS[value].label,
            description: ACTION_WORDS[value].consequence(name),
          }))}
          input={form.getInputProps('action')}
        />
        {action === 'suspend' && (
          <SuspensionField days={form.values.days} onChange={(days) => form.setFieldValue('days', days)} />
        )}
        <ReasonField
          label="Action notes"
          description={`Optional. Kept in the audit log; told to ${name} unless you dismiss the report.`}
          isRequired={false}
          input={form.getInputProps('notes')}
        />
      </DialogForm>
    </Dialog>
  );
}
