import { Button, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPhotoOff } from '@tabler/icons-react';
import { removePictureInputSchema } from '#contract/moderation.ts';
import { hasRole } from '#contract/roles.ts';
import { ReasonField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { PublicPicture } from '#web/components/public-picture.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import classes from './moderation.module.css';
import { useRemovePicture } from './queries.ts';

interface RemovePictureProps {
  /** The address of the picture; null: there is none. */
  readonly url: string | null;
  /** Whose it is. */
  readonly username: string;
}

/** Moderators remove a picture with it, after they have said why. Nothing is rendered for others. */
export function RemovePicture({ url, username }: RemovePictureProps) {
  const { user } = useViewer();
  const [isOpen, dialog] = useDisclosure(false);
  if (url === null || !user || !hasRole(user.role, 'moderator') || user.username === username) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPhotoOff size={18} aria-hidden="true" />}
        aria-haspopup="dialog"
        onClick={dialog.open}
      >
        Remove picture
      </Button>
      <Dialog opened={isOpen} onClose={dialog.close} title="Remove this picture?">
        <RemovalForm url={url} username={username} onClose={dialog.close} />
      </Dialog>
    </>
  );
}

function RemovalForm({ url, username, onClose }: { url: string; username: string; onClose: () => void }) {
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
    <DialogForm onSubmit={submit} isPending={removal.isPending} submitLabel="Remove picture" isDangerous>
      <PublicPicture className={classes.picture} url={url} alt={`The picture of ${username}`} sizes="320px" />
      <Text>Nobody can see it any more afterwards. {username} can upload another one.</Text>
      <ReasonField
        label="Reason"
        description={`Told to ${username}, and kept in the audit log.`}
        input={form.getInputProps('reason')}
      />
    </DialogForm>
  );
}
