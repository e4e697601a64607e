import { Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { z } from 'zod';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { ClaimPicturesField } from './claim-pictures.tsx';
import { ReasonField } from './decision-fields.tsx';
import { ConfirmDialog, Dialog, DialogForm, type DialogProps } from './dialog.tsx';

type Framing = Pick<DialogProps, 'opened' | 'onClose' | 'fallbackFocusId'>;

type Answers = ReturnType<typeof dialogAnswers<unknown>>;

interface WordsFormProps {
  /** What follows from the words, and who reads them. */
  readonly intro: ReactNode;
  /** The name of the words in the call. */
  readonly name: 'reason' | 'answer';
  readonly schema: z.ZodType<string, string>;
  readonly label: string;
  readonly description: string;
  readonly submitLabel: string;
  readonly isDangerous?: boolean;
  /** The toasts after success and failure. */
  readonly done: readonly [title: string, text: string];
  readonly failedTitle: string;
  readonly isPending: boolean;
  readonly onSend: (given: { text: string; pictures: string[] }, answers: Answers) => void;
  /** More fields, before the words. */
  readonly children?: ReactNode;
}

/** What one side of a claim says, with pictures. */
export function ClaimWordsDialog({
  title,
  opened,
  onClose,
  fallbackFocusId,
  ...form
}: Framing & { readonly title: string } & WordsFormProps) {
  return (
    <Dialog opened={opened} onClose={onClose} fallbackFocusId={fallbackFocusId} title={title}>
      <WordsForm {...form} onClose={onClose} />
    </Dialog>
  );
}

function WordsForm(props: WordsFormProps & Pick<Framing, 'onClose'>) {
  const { intro, name, schema, done, failedTitle, isPending, onSend, onClose, children } = props;
  const [isUploading, setUploading] = useState(false);
  const form = useForm({
    initialValues: { text: '', pictures: [] as string[] },
    validate: schemaResolver(z.object({ text: schema }), { sync: true }),
  });
  const answers = dialogAnswers<unknown>({
    onClose,
    form: {
      setErrors: ({ [name]: text = '', ...errors }) => form.setErrors({ ...errors, ...(text && { text }) }),
    },
    done: () => done,
    failedTitle,
  });
  return (
    <DialogForm
      onSubmit={form.onSubmit((values) => onSend(values, answers))}
      isPending={isPending}
      isDisabled={isUploading}
      cancelLabel="Not now"
      submitLabel={props.submitLabel}
      isDangerous={props.isDangerous}
    >
      <Text>{intro}</Text>
      {children}
      <ReasonField
        label={props.label}
        description={props.description}
        rows={4}
        isDisabled={isPending}
        input={form.getInputProps('text')}
      />
      <ClaimPicturesField
        urls={form.values.pictures}
        error={form.errors.pictures}
        onChange={(pictures) => {
          form.setFieldValue('pictures', pictures);
          form.clearFieldError('pictures');
        }}
        onBusy={setUploading}
      />
    </DialogForm>
  );
}

interface WithdrawClaimDialogProps extends Framing {
  /** What follows. */
  readonly text: string;
  /** The toast after success. */
  readonly doneText: string;
  readonly isPending: boolean;
  readonly onWithdraw: (answers: Answers) => void;
}

/** Withdraws the viewer's claim. */
export function WithdrawClaimDialog({ text, doneText, onWithdraw, ...dialog }: WithdrawClaimDialogProps) {
  const answers = dialogAnswers<unknown>({
    onClose: dialog.onClose,
    done: () => ['Claim withdrawn', doneText],
    failedTitle: 'Claim not withdrawn',
  });
  return (
    <ConfirmDialog
      {...dialog}
      title="Withdraw your claim?"
      confirmLabel="Withdraw claim"
      pendingLabel="Processing..."
      cancelLabel="Keep my claim"
      isDangerous
      onConfirm={() => onWithdraw(answers)}
    >
      <Text>{text}</Text>
    </ConfirmDialog>
  );
}
