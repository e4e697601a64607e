import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { isRestricted } from '#contract/people/roles.ts';
import { PageNotice } from '#web/components/page-notice.tsx';
import { formatDate } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useViewer } from '#web/lib/viewer.tsx';

const PLACE = { name: 'suspension', label: t`Suspension` };

/** Tells a suspended or banned person on every page how long it lasts; opens the reason and how to appeal. */
export function SuspensionBanner() {
  const { user, isLoading } = useViewer();
  if (!user || !isRestricted(user.status))
    return <PageNotice {...PLACE} isKnown={!isLoading} notice={null} />;
  const { status, statusReason, statusUntil } = user;
  return (
    <PageNotice
      {...PLACE}
      isKnown
      notice={{
        lead: leadText(status === 'banned', statusUntil),
        text: t`You can still browse, pay for accepted bids, and make and answer claims, but nothing else.`,
        action: (
          <Button
            variant="default"
            size="compact-md"
            onClick={() => openDialog('appeal', { status, reason: statusReason })}
          >
            <Trans>See why and how to appeal</Trans>
          </Button>
        ),
        isUrgent: true,
      }}
    />
  );
}

function leadText(isBanned: boolean, until: string | null): string {
  if (until === null) return isBanned ? t`Your account is banned.` : t`Your account is suspended.`;
  const day = formatDate(until);
  return isBanned ? t`Your account is banned until ${day}.` : t`Your account is suspended until ${day}.`;
}
