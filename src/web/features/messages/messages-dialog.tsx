import type { DealRef } from '#contract/deals.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { ConversationPane } from './conversation-pane.tsx';
import classes from './messages.module.css';
import { keyOf } from './queries.ts';

interface MessagesDialogProps {
  readonly opened: boolean;
  /** The deal whose thread it shows. */
  readonly deal: DealRef | undefined;
  readonly viewerId: number;
  readonly onClose: () => void;
}

/** The conversation of a deal in a dialog. */
export function MessagesDialog({ opened, deal, viewerId, onClose }: MessagesDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Messages" size={720} bodyClassName={classes.dialog}>
      {deal && <ConversationPane key={keyOf(deal)} deal={deal} viewerId={viewerId} />}
    </Dialog>
  );
}
