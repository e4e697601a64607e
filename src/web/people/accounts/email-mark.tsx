import { Trans } from '@lingui/react/macro';
import { IconCircleCheck, IconMailQuestion } from '@tabler/icons-react';
import { ToneBadge } from '#web/components/status-badge.tsx';

/** Shows whether an e-mail address is confirmed. */
export function EmailMark({ isVerified }: { isVerified: boolean }) {
  return isVerified ? (
    <ToneBadge tone="success">
      <IconCircleCheck size={14} aria-hidden="true" /> <Trans context="email address">Verified</Trans>
    </ToneBadge>
  ) : (
    <ToneBadge tone="warning">
      <IconMailQuestion size={14} aria-hidden="true" /> <Trans>Not confirmed yet</Trans>
    </ToneBadge>
  );
}
