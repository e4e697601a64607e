import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { DealRef } from '#contract/deals.ts';
import { ConversationPane } from './conversation-pane.tsx';
import classes from './messages.module.css';
import { keyOf } from './queries.ts';

interface MessagesDialogProps {
  readonly opened: boolean;
  /** The deal whose thread it shows; kept while it fades out. */
  readonly deal: DealRef | undefined;
  readonly viewerId: number;
  readonly onClose: () => void;
}

/** The thread of a deal, before the list of deals: both coupons, the initial request, the messages and a field. */
export function MessagesDialog({ opened, deal, viewerId, onClose }: MessagesDialogProps) {
  const isSmall = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Messages"
      size={720}
      fullScreen={isSmall}
      classNames={{ body: classes.dialog }}
    >
      {deal && <ConversationPane key={keyOf(deal)} deal={deal} viewerId={viewerId} />}
    </Modal>
  );
}
