import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { appealText } from '#contract/oversight/moderation.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { pageConfig } from '#web/lib/page-config.ts';

interface AppealDialogProps {
  /** 'suspended' or 'banned'. */
  readonly status: string;
  readonly reason: string | null;
}

/** Why an account is suspended or banned, and where to appeal. */
export function Component({ status, reason }: AppealDialogProps) {
  return (
    <Dialog title={status === 'banned' ? t`Your account is banned` : t`Your account is suspended`}>
      <Stack gap="sm">
        {reason && (
          <Text>
            <Trans>Reason: {reason}</Trans>
          </Text>
        )}
        <Text>{appealText(pageConfig.supportEmail())}</Text>
      </Stack>
    </Dialog>
  );
}
