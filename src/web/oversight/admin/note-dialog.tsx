import { t } from '@lingui/core/macro';
import { notePaymentIssueInputSchema, type PaymentIssue } from '#contract/money/payment-issues.ts';
import { ReasonField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';

/** Keeps a note on an issue. */
export function Component({ issue: { kind, ref } }: { issue: PaymentIssue }) {
  const { form, submit, isPending } = useSendForm({
    schema: notePaymentIssueInputSchema,
    initial: { kind, ref, text: '' },
    mutation: trpc.paymentIssues.note.useMutation(),
    done: () => [t`Note added`],
    failed: [t`Note not added`],
  });
  return (
    <Dialog title={t`Add a note`} size="lg">
      <DialogForm onSubmit={submit} isPending={isPending} submitLabel={t`Add note`}>
        <ReasonField label={t`Note`} description={t`For other admins.`} input={form.getInputProps('text')} />
      </DialogForm>
    </Dialog>
  );
}
