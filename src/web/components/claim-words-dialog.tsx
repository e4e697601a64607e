import { Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { z } from 'zod';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { ClaimPicturesField } from './claim-pictures.tsx';
import { ReasonField } from './decision-fields.tsx';
import { Dialog, DialogForm } from './dialog.tsx';

interface ClaimWordsDialogProps {
  readonly title: string;
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
  readonly onSend: (
    given: { text: string; pictures: string[] },
    answers: ReturnType<typeof dialogAnswers<unknown>>,
  ) => void;
  readonly onClose: () => void;
  /** More fields, before the words. */
  readonly children?: ReactNode;
}

/** Takes what one side of a claim says, with pictures. */
export function ClaimWordsDialog(props: ClaimWordsDialogProps) {
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
    <Dialog title={props.title}>
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
    </Dialog>
  );
}
