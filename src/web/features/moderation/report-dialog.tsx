import { Button, Group, Modal, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMediaQuery } from '@mantine/hooks';
import {
  createReportInputSchema,
  REPORT_DESCRIPTION_MIN,
  REPORT_REASONS,
  type ReportedThing,
  type ReportReason,
} from '#contract/moderation.ts';
import { TEXTS } from '#contract/texts.ts';
import { fieldErrors, isConflict, writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useCreateReport } from './queries.ts';
import { REASON_WORDS } from './wording.ts';

/** As the contract bounds them. */
const TEXT_MAX = 2_000;
const REASONS = REPORT_REASONS.map((value) => ({ value, label: REASON_WORDS[value] }));

interface ReportDialogProps {
  readonly userId: number | null;
  readonly username: string;
  readonly relatedEntityType: ReportedThing | null;
  readonly relatedEntityId: number | null;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Tells the moderators what somebody has done (spec/1: Report User). */
export function ReportDialog({ opened, onClose, ...about }: ReportDialogProps) {
  const report = useCreateReport();
  const isSmall = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={opened}
      onClose={report.isPending ? () => {} : onClose}
      title="Report User"
      size="md"
      fullScreen={isSmall}
      closeButtonProps={{ disabled: report.isPending }}
    >
      <ReportForm {...about} report={report} onClose={onClose} />
    </Modal>
  );
}

interface ReportFormProps extends Omit<ReportDialogProps, 'opened'> {
  readonly report: ReturnType<typeof useCreateReport>;
}

function ReportForm({ userId, username, report, onClose, ...related }: ReportFormProps) {
  const form = useForm({
    initialValues: {
      reportedUserId: userId,
      reason: 'fake_coupon' as ReportReason,
      description: '',
      evidence: '',
      ...related,
    },
    validate: schemaResolver(createReportInputSchema, { sync: true }),
  });
  const submit = form.onSubmit(
    (values) =>
      report.mutate(createReportInputSchema.parse(values), {
        onSuccess: ({ message }) => {
          onClose();
          toasts.success('Report sent', message);
        },
        onError: (error) => {
          form.setErrors(fieldErrors(error));
          toasts.failure(TEXTS.reports.failed, writeErrorText(error, 'Please try again.'));
          // Reported before: there is nothing to say twice.
          if (isConflict(error)) onClose();
        },
      }),
    (errors) => {
      if (errors.reportedUserId) toasts.failure(TEXTS.reports.failed, TEXTS.reports.noUser);
    },
  );
  const written = form.values.description.trim().length;
  const missing = REPORT_DESCRIPTION_MIN - written;
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <Text>
          What is wrong with <strong>{username}</strong>? A moderator reads every report. {username} does not
          learn who sent it.
        </Text>
        <NativeSelect label="Reason" withAsterisk data={REASONS} {...form.getInputProps('reason')} />
        <div>
          <Textarea
            label="What happened?"
            withAsterisk
            rows={5}
            resize="vertical"
            maxLength={TEXT_MAX}
            {...form.getInputProps('description')}
          />
          <Text size="sm" c="dimmed" ta="right" className="tabular" mt={4}>
            {missing > 0
              ? `${missing} more ${missing === 1 ? 'character' : 'characters'}`
              : `${written} of ${TEXT_MAX}`}
          </Text>
        </div>
        <Textarea
          label="Evidence"
          description="Optional: a link, or what was said, word for word. Never a coupon’s code."
          rows={3}
          resize="vertical"
          maxLength={TEXT_MAX}
          {...form.getInputProps('evidence')}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} disabled={report.isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={report.isPending}>
            Send report
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
