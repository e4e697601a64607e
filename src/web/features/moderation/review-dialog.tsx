import { Button, Group, Modal, Radio, Stack, Text, Textarea } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { z } from 'zod';
import {
  REPORT_ACTIONS,
  type Report,
  type ReportAction,
  reviewReportInputSchema,
} from '#contract/moderation.ts';
import { TEXTS } from '#contract/texts.ts';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { fieldErrors, isConflict, writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import classes from './moderation.module.css';
import { useReviewReport } from './queries.ts';
import { ACTION_WORDS, REASON_WORDS } from './wording.ts';

/** As the contract bounds it. */
const NOTES_MAX = 1_000;

const formSchema = reviewReportInputSchema.extend({
  action: z.enum(REPORT_ACTIONS, 'Choose what is to happen'),
});

interface ReviewDialogProps {
  readonly report: Report | undefined;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onReviewed: () => void;
}

/** A moderator's decision on a report (spec/3: Review dialog). A ban is asked about once more. */
export function ReviewDialog({ report, opened, onClose, onReviewed }: ReviewDialogProps) {
  const review = useReviewReport();
  const [isConfirming, confirming] = useDisclosure(false);
  const isSmall = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={opened}
      onClose={review.isPending ? () => {} : onClose}
      title="Review this report"
      size="lg"
      fullScreen={isSmall}
      // The question before it has the keyboard.
      closeOnEscape={!isConfirming}
      trapFocus={!isConfirming}
      closeButtonProps={{ disabled: review.isPending }}
    >
      {report && (
        <ReviewForm
          key={report.id}
          report={report}
          review={review}
          isConfirming={isConfirming}
          confirming={confirming}
          onClose={onClose}
          onReviewed={onReviewed}
        />
      )}
    </Modal>
  );
}

interface ReviewFormProps extends Omit<ReviewDialogProps, 'opened'> {
  readonly report: Report;
  readonly review: ReturnType<typeof useReviewReport>;
  readonly isConfirming: boolean;
  readonly confirming: { readonly open: () => void; readonly close: () => void };
}

function ReviewForm(props: ReviewFormProps) {
  const { report, review, isConfirming, confirming, onClose, onReviewed } = props;
  const name = report.reportedUsername;
  const form = useForm<{ id: number; action: ReportAction | ''; notes: string }>({
    initialValues: { id: report.id, action: '', notes: '' },
    validate: schemaResolver(formSchema, { sync: true }),
  });
  const send = (values: typeof form.values) =>
    review.mutate(formSchema.parse(values), {
      onSuccess: ({ message }) => {
        confirming.close();
        onClose();
        toasts.success('Report reviewed', message);
        onReviewed();
      },
      onError: (error) => {
        confirming.close();
        form.setErrors(fieldErrors(error));
        toasts.failure(TEXTS.reports.actionFailed, writeErrorText(error, 'Please try again.'));
        // The list now shows the true state, to which this question does not belong any more.
        if (isConflict(error)) onClose();
      },
    });
  const submit = form.onSubmit((values) => (values.action === 'ban' ? confirming.open() : send(values)));
  const { action } = form.values;
  return (
    <>
      <form noValidate onSubmit={submit}>
        <Stack gap="md">
          <Text>
            {report.reporterUsername} reports <strong>{name}</strong>: {REASON_WORDS[report.reason]}
          </Text>
          <blockquote className={classes.said}>{report.description}</blockquote>
          <Radio.Group label="Action" withAsterisk {...form.getInputProps('action')}>
            <Stack gap="sm" mt="xs">
              {REPORT_ACTIONS.map((value) => (
                <Radio
                  key={value}
                  value={value}
                  label={ACTION_WORDS[value].label}
                  description={ACTION_WORDS[value].consequence(name)}
                />
              ))}
            </Stack>
          </Radio.Group>
          <Textarea
            label="Action notes"
            description={`Optional. Kept in the audit log; told to ${name} unless you dismiss the report.`}
            rows={3}
            resize="vertical"
            maxLength={NOTES_MAX}
            {...form.getInputProps('notes')}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={review.isPending}>
              Cancel
            </Button>
            <Button
              type="submit"
              color={action === 'ban' || action === 'suspend' ? 'red' : undefined}
              loading={review.isPending}
            >
              {action === '' ? 'Confirm action' : ACTION_WORDS[action].label}
            </Button>
          </Group>
        </Stack>
      </form>
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
