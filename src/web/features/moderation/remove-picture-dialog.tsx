import { Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { removePictureInputSchema } from '#contract/moderation.ts';
import { ReasonField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { PublicPicture } from '#web/components/public-picture.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import classes from './moderation.module.css';
import { useRemovePicture } from './queries.ts';

interface RemovePictureDialogProps {
  readonly url: string;
  readonly username: string;
  readonly onClose: () => void;
}

/** Removes a picture after a moderator has said why. */
export function Component({ url, username, onClose }: RemovePictureDialogProps) {
  const removal = useRemovePicture();
  const form = useForm({
    initialValues: { url, reason: '' },
    validate: schemaResolver(removePictureInputSchema, { sync: true }),
  });
  const submit = form.onSubmit((values) =>
    removal.mutate(
      removePictureInputSchema.parse(values),
      dialogAnswers({
        onClose,
        form,
        done: () => ['Picture removed', `${username} was told why.`],
        failedTitle: 'Not removed',
      }),
    ),
  );
  return (
    <Dialog title="Remove this picture?">
      <DialogForm onSubmit={submit} isPending={removal.isPending} submitLabel="Remove picture" isDangerous>
        <PublicPicture
          className={classes.picture}
          url={url}
          alt={`The picture of ${username}`}
          sizes="320px"
        />
        <Text>Nobody can see it any more afterwards. {username} can upload another one.</Text>
        <ReasonField
          label="Reason"
          description={`Told to ${username}, and kept in the audit log.`}
          input={form.getInputProps('reason')}
        />
      </DialogForm>
    </Dialog>
  );
}
