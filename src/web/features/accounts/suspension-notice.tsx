import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import type { SessionUser } from '#contract/accounts.ts';
import { PageNotice } from '#web/components/page-notice.tsx';
import { formatDate } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';

interface SuspensionNoticeProps {
  /** Names the region. */
  readonly label: string;
  readonly user: SessionUser;
}

/** How long a suspension or a ban lasts; its button opens the reason and how to appeal. */
export function SuspensionNotice({ label, user }: SuspensionNoticeProps) {
  const { status, statusReason, statusUntil } = user;
  return (
    <PageNotice
      label={label}
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
