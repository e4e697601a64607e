import { Anchor, Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import type { BidSide } from '#contract/deals.ts';
import { paths } from '#contract/pages.ts';
import type { Protection } from '#contract/payments.ts';
import { ClaimPanel, ClaimWords } from '#web/components/claim-panel.tsx';
import { ClaimCodeDialog, ConfirmReceiptDialog, WithdrawSaleClaimDialog } from './protection-dialogs.tsx';
import { moneyFacts, protectionWords } from './protection-wording.ts';

interface ProtectionPanelProps {
  readonly bidId: number;
  readonly couponId: number;
  readonly protection: Protection;
  readonly side: BidSide;
  /** Lets the seller answer the claim. */
  readonly renderAnswer: (claim: NonNullable<Protection['claim']>, fallbackFocusId: string) => ReactNode;
}

/** The buyer's verdict on the code. */
type Verdict = 'works' | 'claim' | 'withdraw';

/** The protection of a paid bid for one of its parties, with the buyer's buttons. */
export function ProtectionPanel({ bidId, couponId, protection, side, renderAnswer }: ProtectionPanelProps) {
  const { claim } = protection;
  const [asked, setAsked] = useState<Verdict | null>(null);
  const words = protectionWords(protection, side);
  if (words === null) return null;
  const titleId = `protection-${bidId}`;
  const dialog = { bidId, fallbackFocusId: titleId, onClose: () => setAsked(null) };
  return (
    <>
      <ClaimPanel titleId={titleId} title={words.title} text={words.text}>
        {moneyFacts(protection).map((fact) => (
          <Text key={fact}>{fact}</Text>
        ))}
        <Claim claim={claim} side={side} />
        {side === 'owner' && claim && renderAnswer(claim, titleId)}
        {side === 'bidder' && <BuyerActions couponId={couponId} protection={protection} onAsk={setAsked} />}
        {protection.status !== 'processing' && (
          <Anchor component={Link} to={paths.saleReceipt(protection.paymentId)}>
            {side === 'bidder' ? 'Receipt' : 'Fee statement'}
          </Anchor>
        )}
      </ClaimPanel>
      {side === 'bidder' && (
        <>
          <ConfirmReceiptDialog {...dialog} opened={asked === 'works'} />
          <ClaimCodeDialog {...dialog} opened={asked === 'claim'} />
          <WithdrawSaleClaimDialog {...dialog} opened={asked === 'withdraw'} />
        </>
      )}
    </>
  );
}

/** The claim, the seller's word and the decision. */
function Claim({ claim, side }: Pick<Protection, 'claim'> & { side: BidSide }) {
  if (claim === null) return null;
  const whose = side === 'bidder' ? 'Your claim' : 'The buyer’s claim';
  const decided = claim.status === 'refunded' ? 'refunded' : 'released';
  return (
    <ClaimWords
      lines={[
        {
          who: claim.status === 'withdrawn' ? `${whose}, withdrawn` : whose,
          text: claim.reason,
          pictures: claim.claimantPictures,
        },
        {
          who: side === 'bidder' ? 'The seller’s answer' : 'Your answer',
          text: claim.answer,
          pictures: claim.giverPictures,
        },
        { who: `The moderator ${decided}, because`, text: claim.note },
      ]}
    />
  );
}

interface BuyerActionsProps {
  readonly couponId: number;
  readonly protection: Protection;
  readonly onAsk: (verdict: Verdict) => void;
}

function BuyerActions({ couponId, protection, onAsk }: BuyerActionsProps) {
  const { status, claim, isDisputed } = protection;
  const isHeld = status === 'held';
  const hasOpenClaim = isHeld && claim?.status === 'open';
  const isUndecided = isHeld && !isDisputed && (claim === null || claim.status === 'withdrawn');
  const hasCoupon = isHeld || status === 'releasing' || status === 'completed';
  return (
    <Group gap="sm" mt={4}>
      {isUndecided && <Button onClick={() => onAsk('works')}>The code works</Button>}
      {isUndecided && claim === null && (
        <Button variant="default" onClick={() => onAsk('claim')}>
          The code does not work
        </Button>
      )}
      {hasOpenClaim && (
        <Button variant="default" onClick={() => onAsk('withdraw')}>
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
