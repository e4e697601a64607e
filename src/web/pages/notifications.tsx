import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { MarkAllReadButton, NotificationsList } from '#web/features/notifications/notifications-list.tsx';

export function Component() {
  return (
    <PageShell title={PAGES.notifications.title} size="md" action={<MarkAllReadButton />}>
      <NotificationsList />
    </PageShell>
  );
}
