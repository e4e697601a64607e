import { Button, Skeleton, Stack, Text, Textarea } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { IconCopy } from '@tabler/icons-react';
import { notePaymentIssueInputSchema, type PaymentIssue } from '#contract/payment-issues.ts';
import { ReasonField } from '#web/components/decision-fields.tsx';
import { ConfirmDialog, Dialog, DialogFooter, DialogForm } from '#web/components/dialog.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { copyText } from '#web/lib/clipboard.ts';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useEvidence, useHandlePaymentIssue, useNotePaymentIssue } from './queries.ts';

interface PaymentIssueDialogProps {
  readonly issue: PaymentIssue | undefined;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Keeps a note on an issue. */
export function NoteDialog({ issue, opened, onClose }: PaymentIssueDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Add a note" size="lg">
      {issue && <NoteForm key={`${issue.kind} ${issue.ref}`} issue={issue} onClose={onClose} />}
    </Dialog>
  );
}

function NoteForm({ issue: { kind, ref }, onClose }: { issue: PaymentIssue; onClose: () => void }) {
  const note = useNotePaymentIssue();
  const form = useForm({
    initialValues: { kind, ref, text: '' },
    validate: schemaResolver(notePaymentIssueInputSchema, { sync: true }),
  });
  const submit = form.onSubmit((values) =>
    note.mutate(
      values,
      dialogAnswers({ onClose, form, done: () => ['Note added'], failedTitle: 'Note not added' }),
    ),
  );
  return (
    <DialogForm onSubmit={submit} isPending={note.isPending} submitLabel="Add note">
      <ReasonField label="Note" description="For other admins." input={form.getInputProps('text')} />
    </DialogForm>
  );
}

/** Takes an issue off the list. */
export function HandleDialog({ issue, opened, onClose }: PaymentIssueDialogProps) {
  const handle = useHandlePaymentIssue();
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Mark as handled?"
      isPending={handle.isPending}
      confirmLabel="Mark handled"
      onConfirm={() =>
        issue &&
        handle.mutate(
          { kind: issue.kind, ref: issue.ref },
          dialogAnswers({ onClose, done: () => ['Marked as handled'], failedTitle: 'Not marked' }),
        )
      }
    >
      <Text>
        It moves to the list Handled. No money moves. If its cause ends and begins again, it is back on this
        list.
      </Text>
    </ConfirmDialog>
  );
}

/** The text for the answer to a dispute. */
export function EvidenceDialog({ issue, opened, onClose }: PaymentIssueDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Evidence for the bank" size="xl">
      {issue?.paymentId && <Evidence paymentId={issue.paymentId} />}
    </Dialog>
  );
}

function Evidence({ paymentId }: { paymentId: number }) {
  const query = useEvidence(paymentId);
  return (
    <QueryContent query={query} errorTitle="Failed to load the evidence" skeleton={<Skeleton height={320} />}>
      {({ text, dueAt }) => (
        <Stack>
          <Text>
            Send this text in the provider’s dashboard
            {dueAt === null ? '' : ` before ${formatDateTime(dueAt)}`}. It does not contain the code.
          </Text>
          <Textarea label="Evidence" value={text} readOnly rows={14} resize="vertical" />
          <DialogFooter cancelLabel="Done">
            <Button leftSection={<IconCopy size={16} aria-hidden="true" />} onClick={() => copy(text)}>
              Copy
            </Button>
          </DialogFooter>
        </Stack>
      )}
    </QueryContent>
  );
}

async function copy(text: string): Promise<void> {
  if (await copyText(text)) toasts.success('Evidence copied');
  else toasts.failure('Not copied', 'Your browser does not allow it. Select the text instead.');
}
