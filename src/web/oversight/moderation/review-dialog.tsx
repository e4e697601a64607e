import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { FormEvent } from 'react';
import { z } from 'zod';
import { TEXTS } from '#contract/base/texts.ts';
import {
  REPORT_ACTIONS,
  type Report,
  type ReportAction,
  reviewReportInputSchema,
} from '#contract/oversight/moderation.ts';
import { ChoiceField, ReasonField, SuspensionField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { ACTION_WORDS, REASON_WORDS } from './wording.ts';

const formSchema = reviewReportInputSchema.extend({
  action: z.enum(REPORT_ACTIONS, t`Choose an action`),
});

/** The form for a moderator's decision on a report (spec/3: Review dialog). A ban is confirmed once more. */
export function Component({ report }: { report: Report }) {
  const name = report.reportedUsername;
  const { form, submit, send, isPending } = useSendForm({
    schema: formSchema,
    initial: { id: report.id, action: '' as ReportAction | '', notes: '', days: 7 as number | null },
    mutation: trpc.moderation.review.useMutation(),
    done: ({ message }) => [t`Report reviewed`, message],
    failed: [TEXTS.reports.actionFailed()],
  });
  const askToBan = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (form.validate().hasErrors) return;
    openDialog('confirm', {
      title: t`Ban ${name}?`,
      text: t`${ACTION_WORDS.ban.consequence(name)} Only an admin can lift it.`,
      confirmLabel: t`Ban ${name}`,
      pendingLabel: t`Banning…`,
      cancelLabel: t`Go back`,
      isDangerous: true,
      act: () => send(formSchema.parse(form.values)),
    });
  };
  const { action } = form.values;
  return (
    <Dialog title={t`Review this report`} size="lg">
      <DialogForm
        onSubmit={action === 'ban' ? askToBan : submit}
        isPending={isPending}
        submitLabel={action === '' ? t`Confirm action` : ACTION_WORDS[action].label}
        isDangerous={action === 'ban' || action === 'suspend'}
      >
        <Text>
          <Trans>
            {report.reporterUsername} reports <strong>{name}</strong>: {REASON_WORDS[report.reason]}
          </Trans>
        </Text>
        <blockquote dir="auto">{report.description}</blockquote>
        <ChoiceField
          label={t`Action`}
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
          label={t`Action notes`}
          description={t`Optional. We record them in the audit log and send them to ${name}, unless you dismiss the report.`}
          isRequired={false}
          input={form.getInputProps('notes')}
        />
      </DialogForm>
    </Dialog>
  );
}
