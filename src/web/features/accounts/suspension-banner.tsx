import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { appealText } from '#contract/moderation.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { PageNotice } from '#web/components/page-notice.tsx';
import { formatDate } from '#web/lib/format.ts';
import { supportEmail } from '#web/lib/support-email.ts';
import { useViewer } from '#web/lib/viewer.tsx';

const LABEL = 'Suspension';

/** Tells a suspended person on every page until when, and opens why and where to appeal. */
export function SuspensionBanner() {
  const { user, isLoading } = useViewer();
  const [isOpen, setIsOpen] = useState(false);
  if (user?.status !== 'suspended') return <PageNotice label={LABEL} isKnown={!isLoading} notice={null} />;
  const { statusReason, statusUntil } = user;
  return (
    <>
      <PageNotice
        label={LABEL}
        isKnown
        notice={{
          lead: `Your account is suspended${statusUntil ? ` until ${formatDate(statusUntil)}` : ''}.`,
          text: 'You can read, but not act.',
          action: (
            <Button variant="default" size="compact-md" onClick={() => setIsOpen(true)}>
              Why, and how to appeal
            </Button>
          ),
          isUrgent: true,
        }}
      />
      <Dialog opened={isOpen} title="Your account is suspended" onClose={() => setIsOpen(false)}>
        <Stack gap="sm">
          {statusReason && <Text>Reason: {statusReason}</Text>}
          <Text>{appealText(supportEmail())}</Text>
        </Stack>
      </Dialog>
    </>
  );
}
