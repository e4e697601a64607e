import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { MessagesBrowser } from '#web/features/messages/messages-browser.tsx';
import { useViewer } from '#web/lib/viewer.tsx';

/** The viewer's conversations about deals. */
export function Component() {
  const { user } = useViewer();
  return <PageShell title={PAGES.messages.title}>{user && <MessagesBrowser viewerId={user.id} />}</PageShell>;
}
