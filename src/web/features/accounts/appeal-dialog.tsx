import { Stack, Text } from '@mantine/core';
import { appealText } from '#contract/moderation.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { supportEmail } from '#web/lib/support-email.ts';

interface AppealDialogProps {
  readonly opened: boolean;
  readonly reason: string | null;
  readonly onClose: () => void;
}

/** Why an account is suspended, and where to appeal. */
export function AppealDialog({ opened, reason, onClose }: AppealDialogProps) {
  return (
    <Dialog opened={opened} title="Your account is suspended" onClose={onClose}>
      <Stack gap="sm">
        {reason && <Text>Reason: {reason}</Text>}
        <Text>{appealText(supportEmail())}</Text>
      </Stack>
    </Dialog>
  );
}
