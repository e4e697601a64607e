import { Button, Paper } from '@mantine/core';
import { Link, useSearchParams } from 'react-router-dom';
import { type NotificationType, unsubscribeInputSchema } from '#contract/notifications.ts';
import { PAGES, paths } from '#contract/pages.ts';
import { MailDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { writeErrorText } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';

const DONE: Record<NotificationType, string> = {
  exchange_request: 'We will no longer email you about new exchange requests.',
  exchange_accepted: 'We will no longer email you about accepted exchanges.',
  exchange_rejected: 'We will no longer email you about declined exchanges.',
  exchange_completed: 'We will no longer email you about completed exchanges.',
  message: 'We will no longer email you about new messages.',
  want: 'We will no longer email you about coupons on your wish list.',
  match: 'We will no longer email you about swaps we find for you.',
  other: 'We will no longer email you about bids, payments and other news.',
  weekly: 'We will no longer send you the weekly email.',
};

const settingsButton = (
  <Button component={Link} to={paths.profileSettings} variant="default">
    Choose which emails you get
  </Button>
);

/** Opened by the unsubscribe link at the foot of every mail. */
export function Component() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  return (
    <PageShell title={PAGES.unsubscribe.title()} size="sm">
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
        text="Copy the whole link from the email, or choose in your settings which emails you get."
        drawing={<MailDrawing isBroken />}
        action={settingsButton}
      />
    );
  }
  if (stop.data) {
    return (
      <div role="status">
        <EmptyState
          title="These emails are off"
          text={`${DONE[stop.data.type]} You will still see them in your notifications.`}
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
          title="These emails are still on"
          text={writeErrorText(stop.error, 'Please try again.')}
          drawing={<MailDrawing isBroken />}
          action={<Button onClick={() => stop.mutate({ token })}>Try again</Button>}
        />
      </div>
    );
  }
  return (
    <EmptyState
      title="Turn these emails off?"
      text="You will no longer get emails like this one. We always email you about your account’s safety."
      drawing={<MailDrawing />}
      action={
        <Button loading={stop.isPending} onClick={() => stop.mutate({ token })}>
          Turn these emails off
        </Button>
      }
    />
  );
}
