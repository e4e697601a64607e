import { Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { BidSide } from '#contract/deals.ts';
import { paths } from '#contract/pages.ts';
import type { Protection } from '#contract/payments.ts';
import { AnswerClaim, askToWithdraw, ClaimPanel, ClaimWords } from '#web/components/claim-panel.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';
import { moneyFacts, protectionWords } from './protection-wording.ts';

interface ProtectionPanelProps {
  readonly bidId: number;
  readonly couponId: number;
  readonly protection: Protection;
  readonly side: BidSide;
}

/** The protection of a paid bid for one of its parties, with the buyer's buttons. */
export function ProtectionPanel({ bidId, couponId, protection, side }: ProtectionPanelProps) {
  const { claim } = protection;
  const words = protectionWords(protection, side);
  if (words === null) return null;
  const titleId = `protection-${bidId}`;
  return (
    <ClaimPanel titleId={titleId} title={words.title} text={words.text}>
      {moneyFacts(protection).map((fact) => (
        <Text key={fact}>{fact}</Text>
      ))}
      <Claim claim={claim} side={side} />
      {side === 'owner' && claim?.status === 'open' && claim.answer === null && (
        <AnswerClaim claimId={claim.id} titleId={titleId} />
      )}
      {side === 'bidder' && (
        <BuyerActions couponId={couponId} protection={protection} bidId={bidId} titleId={titleId} />
      )}
      {protection.status !== 'processing' && (
        <Anchor component={Link} to={paths.saleReceipt(protection.paymentId)}>
          {side === 'bidder' ? 'Receipt' : 'Fee statement'}
        </Anchor>
      )}
    </ClaimPanel>
  );
}

/** The claim, the seller's word and the decision. */
function Claim({ claim, side }: Pick<Protection, 'claim'> & { side: BidSide }) {
  if (claim === null) return null;
  const isWithdrawn = claim.status === 'withdrawn';
  return (
    <ClaimWords
      lines={[
        {
          who:
            side === 'bidder'
              ? isWithdrawn
                ? 'Your claim, withdrawn'
                : 'Your claim'
              : isWithdrawn
                ? 'The buyer’s claim, withdrawn'
                : 'The buyer’s claim',
          text: claim.reason,
          pictures: claim.claimantPictures,
        },
        {
          who: side === 'bidder' ? 'The seller’s answer' : 'Your answer',
          text: claim.answer,
          pictures: claim.giverPictures,
        },
        { who: 'The moderator’s reason', text: claim.note },
      ]}
    />
  );
}

interface BuyerActionsProps {
  readonly couponId: number;
  readonly protection: Protection;
  readonly bidId: number;
  readonly titleId: string;
}

function BuyerActions({ bidId, couponId, protection, titleId }: BuyerActionsProps) {
  const confirm = trpc.payments.confirmReceipt.useMutation();
  const withdraw = trpc.payments.withdrawClaim.useMutation();
  const { status, claim, isDisputed } = protection;
  const isHeld = status === 'held';
  const hasOpenClaim = isHeld && claim?.status === 'open';
  const isUndecided = isHeld && !isDisputed && (claim === null || claim.status === 'withdrawn');
  const hasCoupon = isHeld || status === 'releasing' || status === 'completed';
  const askToConfirm = () =>
    openDialog(
      'confirm',
      {
        title: 'Does the code work?',
        text: 'The money goes to the seller at once. You cannot undo this or make a claim afterwards.',
        confirmLabel: 'Pay the seller',
        pendingLabel: 'Processing...',
        cancelLabel: 'Not yet',
        act: () => confirm.mutateAsync({ bidId }),
        done: ['Thank you', 'The money is on its way to the seller.'],
        failed: ['Not confirmed'],
      },
      { focusAfter: [titleId] },
    );
  const claimIt = () => openDialog('claimSale', { bidId }, { focusAfter: [titleId] });
  const withdrawIt = () =>
    askToWithdraw({
      text: 'The seller is paid when the protection ends. You cannot make another claim about this code.',
      doneText: 'The seller is paid when the protection ends.',
      act: () => withdraw.mutateAsync({ bidId }),
      titleId,
    });
  return (
    <Group gap="sm" mt={4}>
      {isUndecided && <Button onClick={askToConfirm}>The code works</Button>}
      {isUndecided && claim === null && (
        <Button variant="default" onClick={claimIt}>
          The code does not work
        </Button>
      )}
      {hasOpenClaim && (
        <Button variant="default" onClick={withdrawIt}>
          Withdraw claim
        </Button>
      )}
      {hasCoupon && (
        <Button component={Link} to={paths.myCoupon(couponId)} variant="default">
          See your new coupon
        </Button>
      )}
    </Group>
  );
}
