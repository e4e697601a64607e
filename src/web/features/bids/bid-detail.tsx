import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { Bid } from '#contract/bids.ts';
import type { BidSide } from '#contract/deals.ts';
import { FEE_PERCENT } from '#contract/fees.ts';
import type { Cents } from '#contract/money.ts';
import { TEXTS } from '#contract/texts.ts';
import { CouponTicket, CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { Timeline } from '#web/components/deal-timeline.tsx';
import { SearchDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorState } from '#web/components/error-state.tsx';
import { StatusBadge } from '#web/components/status-badge.tsx';
import { hasCode, readErrorText } from '#web/lib/errors.ts';
import { BidActions, BidMessagesButton, SetUpLink } from './bid-actions.tsx';
import { bidSteps } from './bid-steps.ts';
import classes from './bids.module.css';
import { useBid } from './queries.ts';
import { type BidAct, sideOf } from './sides.ts';
import { amountsOf, charged, netLabel, nextStep, totalLabel } from './wording.ts';

interface BidDetailDialogProps {
  /** Null while nothing is open; 'unknown' for an address that names what cannot be a bid. */
  readonly id: number | 'unknown' | null;
  /** The bid as the list already has it. */
  readonly known?: Bid;
  readonly viewerId: number;
  /** Whether another dialog stands before this one and takes the Escape key. */
  readonly isCovered: boolean;
  /** What protects both sides of a paid bid: another domain's to show. */
  readonly renderProtection: (bid: Bid) => ReactNode;
  /** What a party can say of the other one once it is done: another domain's to show. */
  readonly renderRating: (bid: Bid) => ReactNode;
  readonly onAct: (bid: Bid, act: BidAct) => void;
  readonly onMessages: (bid: Bid) => void;
  readonly onClose: () => void;
}

/** One bid, whole: what it is for, what both sides get, how far it has come, and what happens next. */
export function BidDetailDialog({ id, isCovered, onClose, ...rest }: BidDetailDialogProps) {
  // While the dialog fades out it still shows what it showed.
  const [shown, setShown] = useState(id);
  if (id !== null && id !== shown) setShown(id);
  const isSmall = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={id !== null}
      onClose={onClose}
      title={typeof shown === 'number' ? `Bid #${shown}` : 'Bid'}
      size={640}
      fullScreen={isSmall}
      closeOnEscape={!isCovered}
      closeOnClickOutside={!isCovered}
    >
      {shown === 'unknown' && <UnknownBid onClose={onClose} />}
      {typeof shown === 'number' && <LoadedBid id={shown} onClose={onClose} {...rest} />}
    </Modal>
  );
}

type LoadedBidProps = Omit<BidDetailDialogProps, 'id' | 'isCovered'> & { readonly id: number };

function LoadedBid({ id, known, onClose, ...rest }: LoadedBidProps) {
  const { data, error, isFetching, refetch } = useBid(id, known);
  if (error && hasCode(error, 'not_found')) return <UnknownBid onClose={onClose} />;
  if (data) return <BidDetail bid={data} {...rest} />;
  if (error) {
    return (
      <ErrorState
        title={TEXTS.bids.loadFailed}
        message={readErrorText(error)}
        onRetry={() => refetch()}
        isRetrying={isFetching}
      />
    );
  }
  return (
    <Stack gap="lg" aria-busy="true">
      <Skeleton height={25} width={200} />
      <Skeleton height={76} />
      <CouponTicketSkeleton size="small" />
      <Skeleton height={122} />
      <Skeleton height={64} />
      <Skeleton height={36} width={110} radius="xl" ml="auto" />
    </Stack>
  );
}

function UnknownBid({ onClose }: { onClose: () => void }) {
  return (
    <EmptyState
      title="This bid was not found"
      text="The link may be wrong, or the bid is not one of yours."
      drawing={<SearchDrawing />}
      titleOrder={3}
      action={<Button onClick={onClose}>See your bids</Button>}
    />
  );
}

type BidDetailProps = Pick<
  BidDetailDialogProps,
  'viewerId' | 'renderProtection' | 'renderRating' | 'onAct' | 'onMessages'
> & { readonly bid: Bid };

/** Where the keyboard goes when an act here has done its work and its button is gone. */
export const NEXT_STEP_ID = 'bid-next-step';

function BidDetail({ bid, viewerId, renderProtection, renderRating, onAct, onMessages }: BidDetailProps) {
  const side = sideOf(bid, viewerId);
  const next = nextStep(bid, side, new Date());
  return (
    <Stack gap="lg">
      <Group gap="sm">
        <StatusBadge status={bid.status} />
        <Text>{side === 'bidder' ? `on a coupon of ${bid.ownerUsername}` : `by ${bid.bidderUsername}`}</Text>
      </Group>
      {next && (
        <div className={classes.next}>
          <Text id={NEXT_STEP_ID} tabIndex={-1} role="status">
            {next}
          </Text>
          {side === 'owner' && bid.status === 'accepted' && !bid.isSellerReady && (
            <Text mt={4}>
              <SetUpLink>Set up a payment account</SetUpLink> so that {bid.bidderUsername} can pay you.
            </Text>
          )}
        </div>
      )}
      {renderProtection(bid)}
      <CouponTicket coupon={bid.coupon} size="small" />
      <Amounts bid={bid} side={side} />
      {bid.message && (
        <div>
          <Text size="sm" c="dimmed" fw={600} mb={6}>
            {side === 'bidder' ? 'Your message' : `Message from ${bid.bidderUsername}`}
          </Text>
          <blockquote className={classes.message}>{bid.message}</blockquote>
        </div>
      )}
      <Timeline steps={bidSteps(bid)} />
      {bid.status === 'completed' && renderRating(bid)}
      <Group justify="flex-end" gap="sm">
        <BidMessagesButton bid={bid} onMessages={onMessages} />
        <BidActions bid={bid} viewerId={viewerId} isMain onAct={(act) => onAct(bid, act)} />
      </Group>
    </Stack>
  );
}

/** What the bid comes to for this side, in the currency that is charged. */
function Amounts({ bid, side }: { bid: Bid; side: BidSide }) {
  const { amount, buyerFee, buyerTotal, sellerFee, netAmount } = amountsOf(bid);
  const fee = `Fee (${FEE_PERCENT}%)`;
  const rows: [label: string, amount: Cents][] =
    side === 'bidder'
      ? [
          ['Your bid', amount],
          [fee, buyerFee],
          [totalLabel(bid), buyerTotal],
        ]
      : [
          ['Bid', amount],
          [fee, -sellerFee],
          [netLabel(bid), netAmount],
        ];
  return (
    <dl className={classes.breakdown}>
      {rows.map(([label, cents], row) => (
        <div key={label} className={row === rows.length - 1 ? classes.total : undefined}>
          <dt>{label}</dt>
          <dd>{cents < 0 ? `−${charged(-cents)}` : charged(cents)}</dd>
        </div>
      ))}
    </dl>
  );
}
