import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import { TEXTS } from '#contract/base/texts.ts';
import { type Bid, setBidStatusInputSchema } from '#contract/deals/bids.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { NoCodeNote } from '#web/components/deal-notes.tsx';
import { ActDialog } from '#web/deals/core/deal-dialogs.tsx';
import { Standing } from '#web/deals/core/standing.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { SetUpLink } from './bid-actions.tsx';
import { OfferedCover } from './offered-cover.tsx';
import { useBid } from './queries.ts';
import { type BidAct, partnerOf, sideOf, standingAmount } from './sides.ts';
import { actWords } from './wording.ts';

/** What a seller should know before they accept. */
function Warnings({ bid }: { bid: Bid }) {
  const { coupon, bidderUsername, isSellerReady } = bid;
  return (
    <>
      <OfferedCover couponId={coupon.id} amount={standingAmount(bid)} side="owner" bid={bid} />
      {!coupon.hasCode && (
        <NoCodeNote>
          <Trans>
            {bidderUsername} will not see a code after paying: you have to hand the coupon over. They have
            confirmed that they know this.
          </Trans>
        </NoCodeNote>
      )}
      {!isSellerReady && (
        <Alert color="yellow" role="note" title={t`You cannot be paid yet`}>
          <Trans>
            {bidderUsername} can pay only once you <SetUpLink>set up a payment account</SetUpLink>. You can
            accept now and do that afterwards.
          </Trans>
        </Alert>
      )}
    </>
  );
}

interface BidActDialogProps {
  readonly bid: Bid;
  readonly act: BidAct;
}

/** Asks for confirmation, then accepts, rejects or cancels a bid. */
export function Component({ bid, act }: BidActDialogProps) {
  const side = sideOf(bid, useMember().id);
  const isAccepting = act === 'accepted';
  // Refetched: the seller may just have set up an account in another window.
  const { data: current = bid } = useBid(bid.id, [bid]);
  const { submit, isPending } = useSendForm({
    schema: setBidStatusInputSchema,
    initial: { id: bid.id, status: act, ...(isAccepting && { expectedAmount: standingAmount(bid) }) },
    mutation: trpc.bids.setStatus.useMutation(),
    done: ({ status }) => [TEXTS.bids.updated(status)],
    failed: [t`Error`, TEXTS.bids.updateFailed()],
  });
  return (
    <ActDialog
      words={actWords(act, bid, side)}
      isDangerous={!isAccepting}
      isPending={isPending}
      onConfirm={submit}
      warning={isAccepting && side === 'owner' && <Warnings bid={current} />}
    >
      {isAccepting && <Standing person={partnerOf(bid, side)} />}
      {isAccepting && side === 'bidder' && (
        <OfferedCover couponId={bid.coupon.id} amount={standingAmount(bid)} side="bidder" bid={bid} />
      )}
      <CouponTicket coupon={bid.coupon} size="mini" isLinked={false} />
    </ActDialog>
  );
}
