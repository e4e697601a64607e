import { PageShell } from '#web/components/page-shell.tsx';
import { MarkAllReadButton, NotificationsList } from '#web/features/notifications/notifications-list.tsx';

export function NotificationsPage() {
  return (
    <PageShell title="Notifications" size="md" action={<MarkAllReadButton />}>
      <NotificationsList />
    </PageShell>
  );
}
