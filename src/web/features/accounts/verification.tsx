import { Button, type ButtonProps } from '@mantine/core';
import { IconCircleCheck, IconMailQuestion } from '@tabler/icons-react';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useSendVerification } from './queries.ts';

/** Whether an address is known to be its owner's. */
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
  /** Where the link goes to. */
  readonly address: string;
  readonly label?: string;
}

/** Mails the link that confirms an address once more. */
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
