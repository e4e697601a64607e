import { Button, Paper } from '@mantine/core';
import { Link, useSearchParams } from 'react-router-dom';
import { type NotificationType, unsubscribeInputSchema } from '#contract/notifications.ts';
import { PAGES, paths } from '#contract/pages.ts';
import { MailDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { writeErrorText } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';

const KINDS: Record<NotificationType, string> = {
  exchange_request: 'new exchange requests',
  exchange_accepted: 'accepted exchanges',
  exchange_rejected: 'rejected exchanges',
  exchange_completed: 'completed exchanges',
  message: 'new messages',
  want: 'coupons that you look for',
  match: 'swaps that we find for you',
  other: 'bids, payments and other news',
};

const settingsButton = (
  <Button component={Link} to={paths.profileSettings} variant="default">
    Choose what we write about
  </Button>
);

/** Opened by the unsubscribe link at the foot of every mail. */
export function Component() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  return (
    <PageShell title={PAGES.unsubscribe.title} size="sm">
      <Paper bg="var(--surface)" p={{ base: 'md', sm: 'xl' }} radius="lg" withBorder>
        <Unsubscribe key={token} token={token} />
      </Paper>
    </PageShell>
  );
}

/** Stops one kind of mail. Asks first, because mail scanners follow links, but press no buttons. */
function Unsubscribe({ token }: { token: string }) {
  const stop = trpc.notifications.unsubscribe.useMutation();
  if (!unsubscribeInputSchema.safeParse({ token }).success) {
    return (
      <EmptyState
        title="This link is incomplete"
        text="Copy the whole link from the mail, or choose in your settings what we write about."
        drawing={<MailDrawing isBroken />}
        action={settingsButton}
      />
    );
  }
  if (stop.data) {
    return (
      <div role="status">
        <EmptyState
          title="These e-mails are stopped"
          text={`We no longer write to you about ${KINDS[stop.data.type]}. You still find it among your notifications.`}
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
          title="These e-mails are not stopped"
          text={writeErrorText(stop.error, 'Please try again.')}
          drawing={<MailDrawing isBroken />}
          action={<Button onClick={() => stop.mutate({ token })}>Try again</Button>}
        />
      </div>
    );
  }
  return (
    <EmptyState
      title="Stop these e-mails?"
      text="You will not get mails of this kind any more. News of your account’s safety always comes."
      drawing={<MailDrawing />}
      action={
        <Button loading={stop.isPending} onClick={() => stop.mutate({ token })}>
          Stop these e-mails
        </Button>
      }
    />
  );
}
