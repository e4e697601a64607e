import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { Dialog } from '#web/components/dialog.tsx';
import { useConfirmation } from './confirmation-queries.ts';
import { SendLinkButton } from './email-verification.tsx';

interface ConfirmAddressDialogProps {
  /** The path that goes on with what it is asked for. */
  readonly from?: string;
  readonly onGiven: () => void;
  readonly onClose: () => void;
}

/** Asks the viewer to confirm their address. Ends by itself once they have, in this tab, another one or elsewhere. */
export function Component({ from, onGiven, onClose }: ConfirmAddressDialogProps) {
  const { address, page, isConfirmed } = useConfirmation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is confirmed
  useEffect(() => {
    if (!isConfirmed) return;
    onGiven();
    onClose();
  }, [isConfirmed]);
  return (
    <Dialog title={t`Confirm your address first`}>
      <Stack>
        <Text>
          <Trans>
            We sent an email to <strong>{address}</strong>. Open the link in it, then come back to continue
            where you left off.
          </Trans>
        </Text>
        <Group>
          {page !== null && (
            <Button component="a" href={page} target="_blank" data-autofocus>
              <Trans>Open the email</Trans>
            </Button>
          )}
          {address !== null && <SendLinkButton address={address} from={from} size="sm" />}
        </Group>
      </Stack>
    </Dialog>
  );
}
