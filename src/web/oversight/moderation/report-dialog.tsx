import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, NativeSelect, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { TEXTS } from '#contract/base/texts.ts';
import {
  createReportInputSchema,
  REPORT_DESCRIPTION_MIN,
  REPORT_REASONS,
  REPORT_TEXT_MAX,
  type ReportedThing,
  type ReportReason,
} from '#contract/oversight/moderation.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { DraftNotice } from '#web/components/draft-notice.tsx';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { reportKey } from './report-key.ts';
import { REASON_WORDS } from './wording.ts';

const REASONS = REPORT_REASONS.map((value) => ({ value, label: REASON_WORDS[value] }));

interface ReportDialogProps {
  readonly userId: number | null;
  readonly username: string;
  readonly relatedEntityType: ReportedThing | null;
  readonly relatedEntityId: number | null;
  readonly pictureUrl: string | null;
}

/** The form that reports a person (spec/1: Report User). */
export function Component(props: ReportDialogProps) {
  const { userId, username, pictureUrl, ...related } = props;
  const block = trpc.blocks.add.useMutation({
    onError: (error) =>
      toasts.failed(error, t`${username} is not blocked`, t`Please try again on their profile.`),
  });
  const [alsoBlocks, setAlsoBlocks] = useState(false);
  const { form, submit, isPending, draft } = useSendForm({
    schema: createReportInputSchema,
    initial: {
      reportedUserId: userId,
      reason: 'fake_coupon' as ReportReason,
      description: '',
      evidence: '',
      pictureUrl: null as string | null,
      ...related,
    },
    mutation: trpc.moderation.report.useMutation(),
    draftName: `report.${reportKey({ userId, ...related })}`,
    done: ({ message }) => [t`Report sent`, message],
    failed: [TEXTS.reports.failed()],
    onDone: () => alsoBlocks && userId !== null && block.mutate({ userId }),
  });
  const refuse = (event: FormEvent) => {
    event.preventDefault();
    toasts.failure(TEXTS.reports.failed(), TEXTS.reports.noUser());
  };
  const written = form.values.description.trim().length;
  const missing = REPORT_DESCRIPTION_MIN - written;
  return (
    <Dialog title={t`Report User`}>
      <DialogForm
        onSubmit={userId === null ? refuse : submit}
        isPending={isPending}
        submitLabel={t`Send report`}
      >
        <DraftNotice {...draft} />
        <Text>
          <Trans>
            What is wrong with <strong>{username}</strong>? Moderators read every report. {username} will not
            learn who sent it.
          </Trans>
        </Text>
        <NativeSelect label={t`Reason`} withAsterisk data={REASONS} {...form.getInputProps('reason')} />
        {pictureUrl !== null && (
          <Checkbox
            label={t`This is about the picture`}
            checked={form.values.pictureUrl !== null}
            onChange={({ currentTarget }) =>
              form.setFieldValue('pictureUrl', currentTarget.checked ? pictureUrl : null)
            }
            error={form.errors.pictureUrl}
          />
        )}
        <div>
          <Textarea
            label={t`What happened?`}
            withAsterisk
            rows={5}
            resize="vertical"
            maxLength={REPORT_TEXT_MAX}
            {...form.getInputProps('description')}
          />
          <Text size="sm" c="dimmed" ta="right" className="tabular" mt={4}>
            {missing > 0
              ? plural(missing, { one: '# more character', other: '# more characters' })
              : t`${written} of ${REPORT_TEXT_MAX}`}
          </Text>
        </div>
        <Textarea
          label={t`Evidence`}
          description={t`Optional. A link, or the exact words that were used. Never include a coupon’s code.`}
          rows={3}
          resize="vertical"
          maxLength={REPORT_TEXT_MAX}
          {...form.getInputProps('evidence')}
        />
        {userId !== null && (
          <Checkbox
            label={t`Also block ${username}`}
            description={t`No more proposals, bids or messages between you. You can undo this in your settings.`}
            checked={alsoBlocks}
            onChange={({ currentTarget }) => setAlsoBlocks(currentTarget.checked)}
          />
        )}
      </DialogForm>
    </Dialog>
  );
}
