import { Alert } from '@mantine/core';
import type { Bid } from '#contract/bids.ts';
import { TEXTS } from '#contract/texts.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { ActDialog } from '#web/components/deal-dialogs.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { SetUpLink } from './bid-actions.tsx';
import { useBid, useSetBidStatus } from './queries.ts';
import type { BidAct } from './sides.ts';
import { actWords } from './wording.ts';

/** An act that waits for its confirmation. */
export interface BidActRequest {
  readonly bid: Bid;
  readonly act: BidAct;
}

interface BidActDialogProps {
  readonly opened: boolean;
  /** What is to be confirmed. */
  readonly request: BidActRequest | undefined;
  readonly onClose: () => void;
  /** The bid has moved. */
  readonly onDone: (bid: Bid) => void;
}

/** Confirms that the viewer means to accept, reject or cancel a bid, and does it. */
export function BidActDialog({ opened, request, onClose, onDone }: BidActDialogProps) {
  const move = useSetBidStatus();
  // Whether the seller can be paid by now: they may just have set that up in another window.
  const { data: bid = request?.bid } = useBid(opened && request ? request.bid.id : null, request?.bid);
  const confirm = () => {
    if (!request) return;
    move.mutate(
      { id: request.bid.id, status: request.act },
      dialogAnswers({
        onClose,
        done: ({ status }) => [TEXTS.bids.updated(status)],
        failedTitle: 'Error',
        failedText: TEXTS.bids.updateFailed,
        onDone,
      }),
    );
  };
  return (
    <ActDialog
      opened={opened}
      words={request && actWords(request.act, request.bid)}
      isDangerous={request?.act !== 'accepted'}
      isPending={move.isPending}
      onConfirm={confirm}
      onClose={onClose}
      warning={
        request?.act === 'accepted' &&
        bid?.isSellerReady === false && (
          <Alert color="yellow" role="note" title="You cannot be paid yet">
            {bid.bidderUsername} can pay only once you <SetUpLink>set up a payment account</SetUpLink>. You
            can accept now and do that next.
          </Alert>
        )
      }
    >
      {request && <CouponTicket coupon={request.bid.coupon} size="mini" isLinked={false} />}
    </ActDialog>
  );
}
