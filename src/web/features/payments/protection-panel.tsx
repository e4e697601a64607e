import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { BidSide } from '#contract/deals.ts';
import { paths } from '#contract/pages.ts';
import type { Protection } from '#contract/payments.ts';
import { useMayAct } from '#web/lib/viewer.tsx';
import classes from './protection.module.css';
import { ClaimCodeDialog, ConfirmReceiptDialog, WithdrawClaimDialog } from './protection-dialogs.tsx';
import { moneyFacts, protectionWords } from './protection-wording.ts';

interface ProtectionPanelProps {
  readonly bidId: number;
  readonly couponId: number;
  readonly protection: Protection;
  readonly side: BidSide;
}

/** The buyer's verdict on the code. */
type Verdict = 'works' | 'claim' | 'withdraw';

/** The protection of a paid bid for one of its parties, with the buyer's buttons. */
export function ProtectionPanel({ bidId, couponId, protection, side }: ProtectionPanelProps) {
  const [asked, setAsked] = useState<Verdict | null>(null);
  const words = protectionWords(protection, side);
  if (words === null) return null;
  const titleId = `protection-${bidId}`;
  const dialog = { bidId, fallbackFocusId: titleId, onClose: () => setAsked(null) };
  return (
    <section className={classes.panel} aria-labelledby={titleId}>
      <Group gap={8} wrap="nowrap" align="flex-start">
        <IconShieldCheck size={22} aria-hidden="true" className={classes.icon} />
        <Stack gap={8} flex={1} miw={0}>
          <Text component="h3" fw={700} m={0} id={titleId} tabIndex={-1}>
            {words.title}
          </Text>
          <Text role="status">{words.text}</Text>
          {moneyFacts(protection).map((fact) => (
            <Text key={fact}>{fact}</Text>
          ))}
          <Claim claim={protection.claim} side={side} />
          {side === 'bidder' && <BuyerActions couponId={couponId} protection={protection} onAsk={setAsked} />}
          {protection.status !== 'processing' && (
            <Anchor component={Link} to={paths.salePaper(protection.paymentId)}>
              {side === 'bidder' ? 'Receipt' : 'Fee statement'}
            </Anchor>
          )}
        </Stack>
      </Group>
      {side === 'bidder' && (
        <>
          <ConfirmReceiptDialog {...dialog} opened={asked === 'works'} />
          <ClaimCodeDialog {...dialog} opened={asked === 'claim'} />
          <WithdrawClaimDialog {...dialog} opened={asked === 'withdraw'} />
        </>
      )}
    </section>
  );
}

/** The claim and its decision. */
function Claim({ claim, side }: Pick<Protection, 'claim'> & { side: BidSide }) {
  if (claim === null) return null;
  const isWithdrawn = claim.status === 'withdrawn';
  const whose = side === 'bidder' ? 'Your claim' : 'The buyer’s claim';
  return (
    <dl className={classes.claim}>
      <dt>{isWithdrawn ? `${whose}, withdrawn` : whose}</dt>
      <dd>{claim.reason}</dd>
      {claim.note !== null && (
        <>
          <dt>
            {claim.status === 'refunded'
              ? 'The moderator refunded, because'
              : 'The moderator released, because'}
          </dt>
          <dd>{claim.note}</dd>
        </>
      )}
    </dl>
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
  const mayAct = useMayAct();
  const hasOpenClaim = mayAct && isHeld && claim?.status === 'open';
  const isUndecided = mayAct && isHeld && !isDisputed && (claim === null || claim.status === 'withdrawn');
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
