import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { PAGES, paths } from '#contract/base/pages.ts';
import { type NotificationType, unsubscribeInputSchema } from '#contract/people/notifications.ts';
import { MailDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { TokenPage } from '#web/components/token-page.tsx';
import { writeErrorText } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';

const DONE: Record<NotificationType, string> = {
  exchange_request: t`We will no longer email you about new exchange requests.`,
  exchange_accepted: t`We will no longer email you about accepted exchanges.`,
  exchange_rejected: t`We will no longer email you about declined exchanges.`,
  exchange_completed: t`We will no longer email you about completed exchanges.`,
  message: t`We will no longer email you about new messages.`,
  want: t`We will no longer email you about coupons on your wish list.`,
  match: t`We will no longer email you about exchanges we find for you.`,
  other: t`We will no longer email you about bids, payments and other news.`,
  weekly: t`We will no longer send you the weekly email.`,
};

const settingsButton = (
  <Button component={Link} to={paths.settings('notifications')} variant="default">
    <Trans>Choose which emails you get</Trans>
  </Button>
);

/** Opened by the unsubscribe link at the foot of every mail. */
export function Component() {
  return <TokenPage title={PAGES.unsubscribe.title()}>{(token) => <Unsubscribe token={token} />}</TokenPage>;
}

/** Stops one kind of mail. Asks first, because mail scanners follow links, but press no buttons. */
function Unsubscribe({ token }: { token: string }) {
  const stop = trpc.notifications.unsubscribe.useMutation();
  if (!unsubscribeInputSchema.safeParse({ token }).success) {
    return (
      <EmptyState
        title={t`This link is incomplete`}
        text={t`Copy the whole link from the email, or choose in your settings which emails you get.`}
        drawing={<MailDrawing isBroken />}
        action={settingsButton}
      />
    );
  }
  if (stop.data) {
    return (
      <div role="status">
        <EmptyState
          title={t`These emails are off`}
          text={t`${DONE[stop.data.type]} You will still see them in your notifications.`}
          drawing={<MailDrawing />}
          action={settingsButton}
        />
      </div>
    );
  }
  if (stop.error) {
    return (
      <div role="alert">
        <EmptyState
          title={t`These emails are still on`}
          text={writeErrorText(stop.error, t`Please try again.`)}
          drawing={<MailDrawing isBroken />}
          action={
            <Button onClick={() => stop.mutate({ token })}>
              <Trans>Try again</Trans>
            </Button>
          }
        />
      </div>
    );
  }
  return (
    <EmptyState
      title={t`Turn these emails off?`}
      text={t`You will no longer get emails like this one. We always email you about your account’s safety.`}
      drawing={<MailDrawing />}
      action={
        <Button loading={stop.isPending} onClick={() => stop.mutate({ token })}>
          <Trans>Turn these emails off</Trans>
        </Button>
      }
    />
  );
}
