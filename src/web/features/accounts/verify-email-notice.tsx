import { t } from '@lingui/core/macro';
import { PageNotice } from '#web/components/page-notice.tsx';
import { SendLinkButton } from './send-link-button.tsx';

interface VerifyEmailNoticeProps {
  /** Names the region. */
  readonly label: string;
  readonly address: string;
  readonly onClose: () => void;
}

/** Asks a member to confirm their address. */
export function VerifyEmailNotice({ label, address, onClose }: VerifyEmailNoticeProps) {
  return (
    <PageNotice
      label={label}
      isKnown
      notice={{
        lead: t`Confirm your email address.`,
        text: t`We sent a link to ${address}. Others cannot see your coupons until you confirm it.`,
        action: <SendLinkButton address={address} label={t`Send again`} />,
        close: { label: t`Hide for now`, onClose },
      }}
    />
  );
}
