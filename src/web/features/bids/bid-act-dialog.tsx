import { Alert } from '@mantine/core';
import type { Bid } from '#contract/bids.ts';
import { TEXTS } from '#contract/texts.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { ActDialog } from '#web/components/deal-dialogs.tsx';
import { NoCodeNote } from '#web/components/deal-notes.tsx';
import { Standing } from '#web/components/standing.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { SetUpLink } from './bid-actions.tsx';
import { useBid, useSetBidStatus } from './queries.ts';
import { type BidAct, partnerOf, sideOf, standingAmount } from './sides.ts';
import { actWords } from './wording.ts';

/** An action to be confirmed. */
export interface BidActRequest {
  readonly bid: Bid;
  readonly act: BidAct;
}

interface BidActDialogProps {
  readonly opened: boolean;
  readonly request: BidActRequest | undefined;
  readonly onClose: () => void;
  readonly viewerId: number;
  /** Called when the bid has changed its status. */
  readonly onDone: (bid: Bid) => void;
}

/** What a seller should know before they accept. */
function Warnings({ bid: { coupon, bidderUsername, isSellerReady } }: { bid: Bid }) {
  return (
    <>
      {!coupon.hasCode && (
        <NoCodeNote>
          Nothing will be revealed to {bidderUsername} after the payment: you have to hand the coupon over.
          They have confirmed that they know.
        </NoCodeNote>
      )}
      {!isSellerReady && (
        <Alert color="yellow" role="note" title="You cannot be paid yet">
          {bidderUsername} can pay only once you <SetUpLink>set up a payment account</SetUpLink>. You can
          accept now and do that next.
        </Alert>
      )}
    </>
  );
}

/** Asks for confirmation, then accepts, rejects or cancels a bid. */
export function BidActDialog({ opened, request, viewerId, onClose, onDone }: BidActDialogProps) {
  const move = useSetBidStatus();
  // Refetched: the seller may just have set up an account in another window.
  const { data: bid = request?.bid } = useBid(opened && request ? request.bid.id : null, request?.bid);
  const confirm = () => {
    if (!request) return;
    move.mutate(
      {
        id: request.bid.id,
        status: request.act,
        ...(request.act === 'accepted' && { expectedAmount: standingAmount(request.bid) }),
      },
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
      words={request && actWords(request.act, request.bid, sideOf(request.bid, viewerId))}
      isDangerous={request?.act !== 'accepted'}
      isPending={move.isPending}
      onConfirm={confirm}
      onClose={onClose}
      warning={
        request?.act === 'accepted' && bid && sideOf(bid, viewerId) === 'owner' && <Warnings bid={bid} />
      }
    >
      {request?.act === 'accepted' && (
        <Standing person={partnerOf(request.bid, sideOf(request.bid, viewerId))} />
      )}
      {request && <CouponTicket coupon={request.bid.coupon} size="mini" isLinked={false} />}
    </ActDialog>
  );
}
