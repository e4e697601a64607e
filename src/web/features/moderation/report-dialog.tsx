import { Checkbox, NativeSelect, Text, Textarea } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useState } from 'react';
import {
  createReportInputSchema,
  REPORT_DESCRIPTION_MIN,
  REPORT_REASONS,
  REPORT_TEXT_MAX,
  type ReportedThing,
  type ReportReason,
} from '#contract/moderation.ts';
import { TEXTS } from '#contract/texts.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { KeptNotice } from '#web/components/kept-notice.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { useForget, useKeptForm } from '#web/lib/kept-form.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useBlock, useCreateReport } from './queries.ts';
import { reportKey } from './report-key.ts';
import { REASON_WORDS } from './wording.ts';

const REASONS = REPORT_REASONS.map((value) => ({ value, label: REASON_WORDS[value] }));

interface ReportDialogProps {
  readonly userId: number | null;
  readonly username: string;
  readonly relatedEntityType: ReportedThing | null;
  readonly relatedEntityId: number | null;
  readonly pictureUrl: string | null;
  readonly onClose: () => void;
}

/** The form that reports a person (spec/1: Report User). */
export function Component(props: ReportDialogProps) {
  const { userId, username, pictureUrl, onClose, ...related } = props;
  const report = useCreateReport();
  const block = useBlock();
  const [alsoBlocks, setAlsoBlocks] = useState(false);
  const forget = useForget();
  const name = `report.${reportKey({ userId, ...related })}`;
  const [form, kept] = useKeptForm(name, {
    initialValues: {
      reportedUserId: userId,
      reason: 'fake_coupon' as ReportReason,
      description: '',
      evidence: '',
      pictureUrl: null as string | null,
      ...related,
    },
    validate: schemaResolver(createReportInputSchema, { sync: true }),
  });
  const blockToo = () => {
    if (!alsoBlocks || userId === null) return;
    // The dialog is closed before the answer comes.
    block.mutateAsync({ userId }).catch((error: unknown) => {
      toasts.failure(
        `${username} is not blocked`,
        writeErrorText(error, 'Please try again on their profile.'),
      );
    });
  };
  const submit = form.onSubmit(
    (values) =>
      report.mutate(
        createReportInputSchema.parse(values),
        dialogAnswers({
          onClose,
          form,
          done: ({ message }) => ['Report sent', message],
          failedTitle: TEXTS.reports.failed,
          onDone: () => {
            forget(name);
            blockToo();
          },
        }),
      ),
    (errors) => {
      if (errors.reportedUserId) toasts.failure(TEXTS.reports.failed, TEXTS.reports.noUser);
    },
  );
  const written = form.values.description.trim().length;
  const missing = REPORT_DESCRIPTION_MIN - written;
  return (
    <Dialog title="Report User">
      <DialogForm onSubmit={submit} isPending={report.isPending} submitLabel="Send report">
        <KeptNotice {...kept} />
        <Text>
          What is wrong with <strong>{username}</strong>? A moderator reads every report. {username} does not
          learn who sent it.
        </Text>
        <NativeSelect label="Reason" withAsterisk data={REASONS} {...form.getInputProps('reason')} />
        {pictureUrl !== null && (
          <Checkbox
            label="It is about the picture"
            checked={form.values.pictureUrl !== null}
            onChange={({ currentTarget }) =>
              form.setFieldValue('pictureUrl', currentTarget.checked ? pictureUrl : null)
            }
            error={form.errors.pictureUrl}
          />
        )}
        <div>
          <Textarea
            label="What happened?"
            withAsterisk
            rows={5}
            resize="vertical"
            maxLength={REPORT_TEXT_MAX}
            {...form.getInputProps('description')}
          />
          <Text size="sm" c="dimmed" ta="right" className="tabular" mt={4}>
            {missing > 0
              ? `${missing} more ${missing === 1 ? 'character' : 'characters'}`
              : `${written} of ${REPORT_TEXT_MAX}`}
          </Text>
        </div>
        <Textarea
          label="Evidence"
          description="Optional: a link, or what was said, word for word. Never a coupon’s code."
          rows={3}
          resize="vertical"
          maxLength={REPORT_TEXT_MAX}
          {...form.getInputProps('evidence')}
        />
        {userId !== null && (
          <Checkbox
            label={`Also block ${username}`}
            description="No more proposals, bids and messages between you. You can undo it in your settings."
            checked={alsoBlocks}
            onChange={({ currentTarget }) => setAlsoBlocks(currentTarget.checked)}
          />
        )}
      </DialogForm>
    </Dialog>
  );
}
