import { t } from '@lingui/core/macro';
import { Button, type ButtonProps } from '@mantine/core';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';

interface SendLinkButtonProps extends Pick<ButtonProps, 'size' | 'variant'> {
  /** The e-mail address that the link is sent to. */
  readonly address: string;
  readonly label?: string;
}

/** Sends the mail with the confirmation link again. */
export function SendLinkButton({ address, label = t`Send the link again`, ...look }: SendLinkButtonProps) {
  const send = trpc.accounts.sendVerification.useMutation();
  const press = () =>
    send.mutate(undefined, {
      onSuccess: () => toasts.success(t`Link sent`, t`Check the inbox of ${address}.`),
      onError: (error) => toasts.failed(error, t`Link not sent`),
    });
  return (
    <Button variant="default" size="compact-md" {...look} loading={send.isPending} onClick={press}>
      {label}
    </Button>
  );
}
