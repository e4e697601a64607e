import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { ReasonField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { ClaimPicturesField } from './claim-pictures.tsx';

interface ClaimWordsDialogProps
  extends Pick<ComponentProps<typeof DialogForm>, 'submitLabel' | 'isDangerous' | 'isPending' | 'onSubmit'> {
  readonly title: string;
  /** What follows from the words, and who reads them. */
  readonly intro: ReactNode;
  readonly label: string;
  readonly description: string;
  readonly words: GetInputPropsReturnType;
  readonly pictures: GetInputPropsReturnType;
  /** More fields, before the words. */
  readonly children?: ReactNode;
}

/** Takes what one side of a claim says, with pictures. */
export function ClaimWordsDialog(props: ClaimWordsDialogProps) {
  const { title, intro, label, description, words, pictures, children, ...form } = props;
  const [isUploading, setUploading] = useState(false);
  return (
    <Dialog title={title}>
      <DialogForm {...form} isDisabled={isUploading} cancelLabel={t`Not now`}>
        <Text>{intro}</Text>
        {children}
        <ReasonField
          label={label}
          description={description}
          rows={4}
          isFirst={!children}
          isDisabled={form.isPending}
          input={words}
        />
        <ClaimPicturesField
          urls={pictures.value}
          error={pictures.error}
          onChange={pictures.onChange}
          onBusy={setUploading}
        />
      </DialogForm>
    </Dialog>
  );
}
