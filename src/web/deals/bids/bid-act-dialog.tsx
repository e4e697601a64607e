import { t } from '@lingui/core/macro';
import { TEXTS } from '#contract/base/texts.ts';
import { type Bid, setBidStatusInputSchema } from '#contract/deals/bids.ts';
import { ActDialog } from '#web/deals/core/deal-dialogs.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { BidTerms, SellerWarnings } from './bid-terms.tsx';
import { useBid } from './queries.ts';
import { type BidAct, sideOf, standingAmount } from './sides.ts';
import { actWords } from './wording.ts';

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
      warning={isAccepting && side === 'owner' && <SellerWarnings bid={current} />}
    >
      <BidTerms bid={bid} isAccepting={isAccepting} />
    </ActDialog>
  );
}
