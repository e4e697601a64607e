import { Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { z } from 'zod';
import {
  REPORT_ACTIONS,
  type Report,
  type ReportAction,
  reviewReportInputSchema,
} from '#contract/moderation.ts';
import { TEXTS } from '#contract/texts.ts';
import { ChoiceField, ReasonField, SuspensionField } from '#web/components/decision-fields.tsx';
import { ConfirmDialog, Dialog, DialogForm, type DialogProps } from '#web/components/dialog.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import classes from './moderation.module.css';
import { useReviewReport } from './queries.ts';
import { ACTION_WORDS, REASON_WORDS } from './wording.ts';

const formSchema = reviewReportInputSchema.extend({
  action: z.enum(REPORT_ACTIONS, 'Choose what is to happen'),
});

interface ReviewDialogProps extends Pick<DialogProps, 'opened' | 'onClose' | 'fallbackFocusId'> {
  readonly report: Report | undefined;
}

/** The form for a moderator's decision on a report (spec/3: Review dialog). A ban is confirmed once more. */
export function ReviewDialog({ report, ...dialog }: ReviewDialogProps) {
  return (
    <Dialog {...dialog} title="Review this report" size="lg">
      {report && <ReviewForm key={report.id} report={report} onClose={dialog.onClose} />}
    </Dialog>
  );
}

function ReviewForm({ report, onClose }: { report: Report; onClose: () => void }) {
  const review = useReviewReport();
  const [isConfirming, confirming] = useDisclosure(false);
  const name = report.reportedUsername;
  const form = useForm<{ id: number; action: ReportAction | ''; notes: string; days: number | null }>({
    initialValues: { id: report.id, action: '', notes: '', days: 7 },
    validate: schemaResolver(formSchema, { sync: true }),
  });
  const send = (values: typeof form.values) =>
    review.mutate(formSchema.parse(values), {
      ...dialogAnswers({
        onClose,
        form,
        done: ({ message }) => ['Report reviewed', message],
        failedTitle: TEXTS.reports.actionFailed,
      }),
      onSettled: confirming.close,
    });
  const submit = form.onSubmit((values) => (values.action === 'ban' ? confirming.open() : send(values)));
  const { action } = form.values;
  return (
    <>
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
      <ConfirmDialog
        opened={isConfirming}
        title={`Ban ${name}?`}
        confirmLabel={`Ban ${name}`}
        pendingLabel="Banning …"
        cancelLabel="Go back"
        isPending={review.isPending}
        isDangerous
        onConfirm={() => send(form.values)}
        onClose={confirming.close}
      >
        <Text>{ACTION_WORDS.ban.consequence(name)} Only an admin can lift it.</Text>
      </ConfirmDialog>
    </>
  );
}
