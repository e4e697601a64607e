import { Button, type ButtonProps } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { IconCircleCheck, IconMailQuestion } from '@tabler/icons-react';
import { useLocation } from 'react-router-dom';
import type { SessionUser } from '#contract/accounts.ts';
import { paths } from '#contract/pages.ts';
import { EdgeBanner } from '#web/components/edge-banner.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { useSendVerification } from './queries.ts';

/** Shows whether an e-mail address is confirmed. */
export function EmailMark({ isVerified }: { isVerified: boolean }) {
  return isVerified ? (
    <ToneBadge tone="success">
      <IconCircleCheck size={14} aria-hidden="true" /> Verified
    </ToneBadge>
  ) : (
    <ToneBadge tone="warning">
      <IconMailQuestion size={14} aria-hidden="true" /> Not confirmed yet
    </ToneBadge>
  );
}

interface SendLinkButtonProps extends Pick<ButtonProps, 'size' | 'variant'> {
  /** The e-mail address that the link is sent to. */
  readonly address: string;
  readonly label?: string;
}

/** Sends the mail with the confirmation link again. */
export function SendLinkButton({ address, label = 'Send the link again', ...look }: SendLinkButtonProps) {
  const send = useSendVerification();
  const press = () =>
    send.mutate(undefined, {
      onSuccess: () => toasts.success('Link sent', `Look into the mail of ${address}.`),
      onError: (error) => toasts.failure('Link not sent', writeErrorText(error, 'Please try again.')),
    });
  return (
    <Button variant="default" size="compact-md" {...look} loading={send.isPending} onClick={press}>
      {label}
    </Button>
  );
}

/** These pages show the state of the address themselves. */
const QUIET_PAGES: readonly string[] = [paths.profile, paths.profileSettings, paths.verifyEmail];

/** Asks a member to confirm their address. Once hidden, it stays hidden for the browser session. */
export function VerifyEmailBanner() {
  const { user } = useViewer();
  const { pathname } = useLocation();
  if (!user || user.isEmailVerified || QUIET_PAGES.includes(pathname)) return null;
  return <BannerOf key={user.id} user={user} />;
}

function BannerOf({ user }: { user: SessionUser }) {
  const [isAway, setIsAway] = useSessionStorage({
    key: `clipswap.verify-banner.${user.id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  if (isAway) return null;
  return (
    <EdgeBanner
      label="Your e-mail address"
      lead="Confirm your e-mail address."
      text={`We have sent a link to ${user.email}.`}
      // An unconfirmed address comes before setting up payouts.
      isUrgent
      close={{ label: 'Hide for now', onClose: () => setIsAway(true) }}
    >
      <SendLinkButton address={user.email} label="Send again" />
    </EdgeBanner>
  );
}
