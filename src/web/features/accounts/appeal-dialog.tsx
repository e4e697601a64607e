import { Stack, Text } from '@mantine/core';
import { appealText } from '#contract/moderation.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { supportEmail } from '#web/lib/support-email.ts';

interface AppealDialogProps {
  readonly opened: boolean;
  /** 'suspended' or 'banned'. */
  readonly status: string;
  readonly reason: string | null;
  readonly onClose: () => void;
}

/** Why an account is suspended or banned, and where to appeal. */
export function AppealDialog({ opened, status, reason, onClose }: AppealDialogProps) {
  return (
    <Dialog opened={opened} title={`Your account is ${status}`} onClose={onClose}>
      <Stack gap="sm">
        {reason && <Text>Reason: {reason}</Text>}
        <Text>{appealText(supportEmail())}</Text>
      </Stack>
    </Dialog>
  );
}
