import { Alert, Stack, Text } from '@mantine/core';
import type { Bid } from '#contract/bids.ts';
import { TEXTS } from '#contract/texts.ts';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { isConflict, writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
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
  /** What is to be confirmed; stays while the dialog closes. */
  readonly request: BidActRequest | undefined;
  readonly onClose: () => void;
  /** The bid has moved. */
  readonly onDone: (bid: Bid) => void;
}

/** Confirms that the viewer means to accept, reject or cancel a bid, and does it. */
export function BidActDialog({ opened, request, onClose, onDone }: BidActDialogProps) {
  const move = useSetBidStatus();
  // Whether the seller can be paid by now: they may just have set that up in another window.
  const { data } = useBid(opened && request ? request.bid.id : null, request?.bid);
  const bid = data?.id === request?.bid.id ? data : request?.bid;
  const words = request && actWords(request.act, request.bid);
  const confirm = () => {
    if (!request) return;
    move.mutate(
      { id: request.bid.id, status: request.act },
      {
        onSuccess: (moved) => {
          toasts.success(TEXTS.bids.updated(moved.status));
          onClose();
          onDone(moved);
        },
        onError: (error) => {
          toasts.failure('Error', writeErrorText(error, TEXTS.bids.updateFailed));
          // The screen now shows the true state, to which this question does not belong any more.
          if (isConflict(error)) onClose();
        },
      },
    );
  };
  return (
    <ConfirmDialog
      opened={opened}
      title={words?.title ?? ''}
      confirmLabel={words?.confirm ?? ''}
      pendingLabel="Processing..."
      cancelLabel={words?.keep}
      isPending={move.isPending}
      isDangerous={request !== undefined && request.act !== 'accepted'}
      onConfirm={confirm}
      onClose={onClose}
    >
      {request && words && (
        <Stack gap="md">
          <CouponTicket coupon={request.bid.coupon} size="mini" isLinked={false} />
          {words.paragraphs.map((paragraph) => (
            <Text key={paragraph}>{paragraph}</Text>
          ))}
          {request.act === 'accepted' && bid?.isSellerReady === false && (
            <Alert color="yellow" role="note" title="You cannot be paid yet">
              {bid.bidderUsername} can pay only once you <SetUpLink>set up a payment account</SetUpLink>. You
              can accept now and do that next.
            </Alert>
          )}
        </Stack>
      )}
    </ConfirmDialog>
  );
}
