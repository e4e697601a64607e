import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { removePictureInputSchema } from '#contract/oversight/moderation.ts';
import { ReasonField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { PublicPicture } from '#web/components/public-picture.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import classes from './moderation.module.css';

/** Removes a picture after a moderator has said why. */
export function Component({ url, username }: { url: string; username: string }) {
  const { form, submit, isPending } = useSendForm({
    schema: removePictureInputSchema,
    initial: { url, reason: '' },
    mutation: trpc.moderation.removePicture.useMutation(),
    done: () => [t`Picture removed`, t`${username} has been told why.`],
    failed: [t`Picture not removed`],
  });
  return (
    <Dialog title={t`Remove this picture?`}>
      <DialogForm onSubmit={submit} isPending={isPending} submitLabel={t`Remove picture`} isDangerous>
        <PublicPicture
          className={classes.picture}
          url={url}
          alt={t`The picture of ${username}`}
          sizes="320px"
        />
        <Text>
          <Trans>No one will be able to see it. {username} can upload a new one.</Trans>
        </Text>
        <ReasonField
          label={t`Reason`}
          description={t`We send it to ${username} and record it in the audit log.`}
          input={form.getInputProps('reason')}
        />
      </DialogForm>
    </Dialog>
  );
}
