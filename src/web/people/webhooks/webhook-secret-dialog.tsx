import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack } from '@mantine/core';
import { CopyButton } from '#web/components/copy-button.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import classes from './webhooks.module.css';

interface SecretProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows the secret of a webhook, once. */
export function Component({ secret, onClose }: SecretProps) {
  return (
    <Dialog title={t`The secret of your webhook`} size="lg">
      <Stack>
        <Alert color="yellow" variant="light" role="status" title={t`Copy it into your program now`}>
          <Trans>Your program uses it to verify our messages. We will not show it again.</Trans>
        </Alert>
        <div className={classes.secret} translate="no">
          {secret}
        </div>
        <Group justify="flex-end">
          <CopyButton text={secret} variant="default" done={[t`Secret copied`]}>
            <Trans>Copy the secret</Trans>
          </CopyButton>
          <Button onClick={onClose}>
            <Trans>Done</Trans>
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
