import { PageShell } from '#web/components/page-shell.tsx';
import { MessagesBrowser } from '#web/features/messages/messages-browser.tsx';
import { useViewer } from '#web/lib/viewer.tsx';

/** What the viewer and the others write to each other about their deals. */
export function MessagesPage() {
  const { user } = useViewer();
  return <PageShell title="Messages">{user && <MessagesBrowser viewerId={user.id} />}</PageShell>;
}
