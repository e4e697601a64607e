import { t } from '@lingui/core/macro';
import { Button, type ButtonProps } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { couponPathIn } from '#contract/base/first-answers.ts';
import { paths } from '#contract/base/pages.ts';
import { PageNotice } from '#web/components/page-notice.tsx';
import { withStorage } from '#web/lib/storage.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useViewer } from '#web/lib/viewer.tsx';

interface SendLinkButtonProps extends Pick<ButtonProps, 'size' | 'variant'> {
  /** The e-mail address that the link is sent to. */
  readonly address: string;
  readonly label?: string;
  /** The path of a coupon's page that the link leads to afterwards; by default the page on screen, if it is one. */
  readonly from?: string | undefined;
}

/** Sends the mail with the confirmation link again. */
export function SendLinkButton({
  address,
  label = t`Send the link again`,
  from,
  ...look
}: SendLinkButtonProps) {
  const { pathname } = useLocation();
  const send = trpc.accounts.sendVerification.useMutation();
  const press = () =>
    send.mutate(
      { from: couponPathIn(from ?? pathname) },
      {
        onSuccess: () => toasts.success(t`Link sent`, t`Check the inbox of ${address}.`),
        onError: (error) => toasts.failed(error, t`Link not sent`),
      },
    );
  return (
    <Button variant="default" size="compact-md" {...look} loading={send.isPending} onClick={press}>
      {label}
    </Button>
  );
}

/** These pages show the state of the address themselves. */
const QUIET_PAGES: readonly string[] = [paths.profile, paths.profileSettings, paths.verifyEmail];

/** Keeps the id of the member who has hidden it. */
const AWAY_KEY = 'clipswap.verify-banner';

/** Asks a member to confirm their address. Once hidden, it stays hidden for the browser session. */
export function VerifyEmailBanner() {
  const { user, isLoading } = useViewer();
  const { pathname } = useLocation();
  const [away, setAway] = useState(() =>
    withStorage('sessionStorage', (storage) => Number(storage.getItem(AWAY_KEY))),
  );
  const hideFor = (userId: number) => {
    withStorage('sessionStorage', (storage) => storage.setItem(AWAY_KEY, String(userId)));
    setAway(userId);
  };
  const isShown = user && !user.isEmailVerified && away !== user.id;
  if (QUIET_PAGES.includes(pathname)) return null;
  return (
    <PageNotice
      name="email"
      label={t`Your email address`}
      isKnown={!isLoading}
      notice={
        isShown
          ? {
              lead: t`Confirm your email address.`,
              text: t`We sent a link to ${user.email}. Others cannot see your coupons until you confirm it.`,
              action: <SendLinkButton address={user.email} label={t`Send again`} />,
              close: { label: t`Hide for now`, onClose: () => hideFor(user.id) },
            }
          : null
      }
    />
  );
}
