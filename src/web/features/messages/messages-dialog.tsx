import type { DealRef } from '#contract/deals.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { useViewer } from '#web/lib/viewer.tsx';
import { ConversationPane } from './conversation-pane.tsx';
import classes from './messages.module.css';

/** The conversation of a deal in a dialog. */
export function Component({ deal }: { deal: DealRef }) {
  const { user } = useViewer();
  return (
    <Dialog title="Messages" size={720} bodyClassName={classes.dialog}>
      {user && <ConversationPane deal={deal} viewerId={user.id} />}
    </Dialog>
  );
}
