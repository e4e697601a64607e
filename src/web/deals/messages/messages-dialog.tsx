import { t } from '@lingui/core/macro';
import type { DealRef } from '#contract/deals/deals.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { ConversationPane } from './conversation-pane.tsx';
import classes from './messages.module.css';

/** The conversation of a deal in a dialog. */
export function Component({ deal }: { deal: DealRef }) {
  return (
    <Dialog title={t`Messages`} size={720} bodyClassName={classes.dialog}>
      <ConversationPane deal={deal} />
    </Dialog>
  );
}
