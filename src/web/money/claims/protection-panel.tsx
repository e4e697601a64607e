import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { BidSide } from '#contract/deals/deals.ts';
import type { Protection } from '#contract/money/payments.ts';
import { useAnswerCode } from '#web/deals/bids/answer-code.ts';
import { moneyFacts, protectionWords } from '#web/deals/bids/protection-wording.ts';
import { buyersCover, sellersCover } from '#web/deals/core/cover-words.ts';
import { trpc } from '#web/lib/trpc.ts';
import { AnnouncedEnd } from '#web/money/claims/announced-end.tsx';
import { AnswerClaim, askToWithdraw, ClaimPanel, ClaimWords } from '#web/money/claims/claim-panel.tsx';

interface ProtectionPanelProps {
  readonly bidId: number;
  readonly couponId: number;
  readonly protection: Protection;
  readonly side: BidSide;
  /** The seller's part, in the base currency. */
  readonly netAmount: string;
}

/** The protection of a paid bid for one of its parties, with the buyer's buttons. */
export function ProtectionPanel({ bidId, couponId, protection, side, netAmount }: ProtectionPanelProps) {
  const { claim } = protection;
  const words = protectionWords(protection, side);
  if (words === null) return null;
  const titleId = `protection-${bidId}`;
  return (
    <ClaimPanel titleId={titleId} title={words.title} text={words.text}>
      {moneyFacts(protection).map((fact) => (
        <Text key={fact}>{fact}</Text>
      ))}
      {protection.cover && (
        <Text>
          {side === 'bidder'
            ? buyersCover(protection.cover)
            : sellersCover({ netAmount, cover: protection.cover, isOffer: false })}
        </Text>
      )}
      <Claim claim={claim} side={side} />
      {claim && (
        <AnnouncedEnd
          claimId={claim.id}
          end={claim.announcedEnd}
          finding={claim.finding}
          isClaimant={side === 'bidder'}
          titleId={titleId}
        />
      )}
      {side === 'owner' && claim?.status === 'open' && claim.answer === null && (
        <AnswerClaim claimId={claim.id} couponId={couponId} titleId={titleId} />
      )}
      {side === 'bidder' && (
        <BuyerActions couponId={couponId} protection={protection} bidId={bidId} titleId={titleId} />
      )}
      {protection.status !== 'processing' && (
        <Anchor component={Link} to={paths.saleReceipt(protection.paymentId)}>
          {side === 'bidder' ? t`Receipt` : t`Fee statement`}
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
                ? t`Your claim, withdrawn`
                : t`Your claim`
              : isWithdrawn
                ? t`The buyer’s claim, withdrawn`
                : t`The buyer’s claim`,
          text: claim.reason,
          pictures: claim.claimantPictures,
        },
        { who: t`What the merchant said`, text: claim.shopAnswer },
        {
          who: side === 'bidder' ? t`The seller’s answer` : t`Your answer`,
          text: claim.answer,
          pictures: claim.giverPictures,
        },
        { who: t`Reason`, text: claim.note },
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
  const answer = useAnswerCode({ bidId, protection, focusAfter: [titleId] });
  const withdraw = trpc.payments.withdrawClaim.useMutation();
  const { status, claim, isDisputed } = protection;
  const isHeld = status === 'held';
  const hasOpenClaim = claim?.status === 'open';
  const isUndecided = isHeld && !isDisputed && (claim === null || claim.status === 'withdrawn');
  const hasCoupon = isHeld || status === 'releasing' || status === 'completed';
  const withdrawIt = () =>
    askToWithdraw({
      text: claim?.isLate
        ? t`The sale stays as it is. You cannot make another claim about this code.`
        : t`The seller is paid when the protection ends. You cannot make another claim about this code.`,
      doneText: claim?.isLate ? t`The sale stays as it is.` : t`The seller is paid when the protection ends.`,
      act: () => withdraw.mutateAsync({ bidId }),
      titleId,
    });
  return (
    <Group gap="sm" mt={4}>
      {isUndecided && (
        <Button onClick={answer.works}>
          <Trans>The code works</Trans>
        </Button>
      )}
      {isUndecided && claim === null && (
        <Button variant="default" onClick={answer.fails}>
          <Trans>The code does not work</Trans>
        </Button>
      )}
      {protection.mayClaimLate && (
        <Button variant="default" onClick={answer.fails}>
          <Trans>The code no longer works</Trans>
        </Button>
      )}
      {hasOpenClaim && (
        <Button variant="default" onClick={withdrawIt}>
          <Trans>Withdraw claim</Trans>
        </Button>
      )}
      {hasCoupon && (
        <Button component={Link} to={paths.myCoupon(couponId)} variant="default">
          <Trans>See your new coupon</Trans>
        </Button>
      )}
    </Group>
  );
}
