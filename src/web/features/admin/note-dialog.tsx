import { schemaResolver, useForm } from '@mantine/form';
import { notePaymentIssueInputSchema, type PaymentIssue } from '#contract/payment-issues.ts';
import { ReasonField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { useNotePaymentIssue } from './queries.ts';

/** Keeps a note on an issue. */
export function Component({ issue: { kind, ref }, onClose }: { issue: PaymentIssue; onClose: () => void }) {
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
    <Dialog title="Add a note" size="lg">
      <DialogForm onSubmit={submit} isPending={note.isPending} submitLabel="Add note">
        <ReasonField label="Note" description="For other admins." input={form.getInputProps('text')} />
      </DialogForm>
    </Dialog>
  );
}
