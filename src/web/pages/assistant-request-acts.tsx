import { t } from '@lingui/core/macro';
import { Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import type { Bid } from '#contract/deals/bids.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import type { AskedAct as Act, AssistantRequest } from '#contract/people/assistant-requests.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { type ContentQuery, QueryContent } from '#web/components/query-content.tsx';
import { useUncheckedCodes } from '#web/coupons/codes/unchecked-codes.ts';
import { worksText } from '#web/deals/bids/answer-code.ts';
import { BidTerms, SellerWarnings } from '#web/deals/bids/bid-terms.tsx';
import { useBid } from '#web/deals/bids/queries.ts';
import { type BidAct, sideOf, standingAmount } from '#web/deals/bids/sides.ts';
import { actWords as bidWords } from '#web/deals/bids/wording.ts';
import { ExchangeTerms } from '#web/deals/exchanges/exchange-terms.tsx';
import { seenPrices } from '#web/deals/exchanges/money.ts';
import { useExchange } from '#web/deals/exchanges/queries.ts';
import { isAgreement, type StatusAct } from '#web/deals/exchanges/sides.ts';
import { actWords as swapWords } from '#web/deals/exchanges/wording.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { Decision } from './assistant-request-decision.tsx';

const SWAP_ACTS: Partial<Record<Act, StatusAct>> = {
  accept_swap: 'accept',
  decline_swap: 'reject',
  complete_swap: 'complete',
  cancel_swap: 'cancel',
};
const BID_ACTS: Partial<Record<Act, BidAct>> = {
  accept_bid: 'accepted',
  decline_bid: 'rejected',
  cancel_bid: 'cancelled',
};

interface Asked {
  readonly request: AssistantRequest;
}

/** What a request is about, as it is now, with the words of its act. */
export function AskedAct({ request }: Asked) {
  const { act } = request;
  switch (act) {
    case 'accept_swap':
    case 'decline_swap':
    case 'complete_swap':
    case 'cancel_swap':
    case 'write_in_swap':
      return <OnSwap request={request} />;
    case 'buy_coupon':
    case 'show_code':
      return <OnCoupon request={request} />;
    default:
      return <OnBid request={request} />;
  }
}

interface SubjectProps<Data> {
  readonly query: ContentQuery<Data>;
  readonly children: (data: Data) => ReactNode;
}

function Subject<Data>({ query, children }: SubjectProps<Data>) {
  return (
    <QueryContent
      query={query}
      errorTitle={t`Error loading what it is about`}
      skeleton={<Skeleton height={240} radius="md" />}
    >
      {children}
    </QueryContent>
  );
}

function OnSwap({ request }: Asked) {
  const query = useExchange(request.subjectId);
  return (
    <Subject query={query}>
      {(exchange: Exchange) => <SwapAct request={request} exchange={exchange} />}
    </Subject>
  );
}

function SwapAct({ request, exchange }: Asked & { exchange: Exchange }) {
  const viewerId = useMember().id;
  const unchecked = useUncheckedCodes();
  const act = SWAP_ACTS[request.act];
  if (!act)
    return (
      <Message request={request}>
        <ExchangeTerms exchange={exchange} />
      </Message>
    );
  const { title, confirm, paragraphs } = swapWords(act, exchange, viewerId);
  return (
    <Decision
      request={request}
      words={{ title, confirm, paragraphs }}
      isDangerous={!isAgreement(act)}
      seen={() => ({
        couponIds: exchange.legs.map(({ coupon }) => coupon.id),
        prices: seenPrices(exchange),
        deposit: exchange.deposit ?? undefined,
        ...unchecked.acknowledged(exchange.id),
      })}
      onFailed={(error) => unchecked.note(error, exchange.id)}
    >
      <ExchangeTerms exchange={exchange} />
    </Decision>
  );
}

function OnBid({ request }: Asked) {
  const query = useBid(request.subjectId);
  return <Subject query={query}>{(bid: Bid) => <ActOnBid request={request} bid={bid} />}</Subject>;
}

function ActOnBid({ request, bid }: Asked & { bid: Bid }) {
  const navigate = useNavigate();
  const side = sideOf(bid, useMember().id);
  const ticket = <CouponTicket coupon={bid.coupon} size="small" isLinked={false} />;
  if (request.act === 'write_in_bid') return <Message request={request}>{ticket}</Message>;
  if (request.act === 'pay_bid')
    return (
      <Decision
        request={request}
        words={{
          title: t`Pay for this coupon?`,
          confirm: t`Go to the checkout`,
          paragraphs: [t`You see the whole sum there, and choose how to pay.`],
        }}
        onConfirmed={() => navigate(paths.checkout(bid.id))}
      >
        {ticket}
      </Decision>
    );
  if (request.act === 'confirm_receipt')
    return (
      <Decision
        request={request}
        words={{
          title: t`Does the code work?`,
          confirm: t`Pay the seller`,
          paragraphs: [worksText(Boolean(bid.protection?.cover))],
        }}
      >
        {ticket}
      </Decision>
    );
  const act = BID_ACTS[request.act] ?? 'cancelled';
  const isAccepting = act === 'accepted';
  const { title, confirm, paragraphs } = bidWords(act, bid, side);
  return (
    <Decision
      request={request}
      words={{ title, confirm, paragraphs }}
      isDangerous={!isAccepting}
      seen={() => (isAccepting ? { expectedAmount: standingAmount(bid) } : {})}
    >
      <BidTerms bid={bid} isAccepting={isAccepting} />
      {isAccepting && side === 'owner' && <SellerWarnings bid={bid} />}
    </Decision>
  );
}

function OnCoupon({ request }: Asked) {
  const query = trpc.coupons.byId.useQuery({ id: request.subjectId });
  return (
    <Subject query={query}>{(coupon: Coupon) => <CouponAct request={request} coupon={coupon} />}</Subject>
  );
}

function CouponAct({ request, coupon }: Asked & { coupon: Coupon }) {
  const navigate = useNavigate();
  const isBuying = request.act === 'buy_coupon';
  const words = isBuying
    ? {
        title: t`Buy this coupon?`,
        confirm: t`See the price`,
        paragraphs: [t`You see the price with the fee next, and can still decide.`],
      }
    : {
        title: t`Show this code?`,
        confirm: t`Show code`,
        paragraphs: [
          t`You alone see the code, in this browser. Your assistant does not get it. The view is recorded.`,
        ],
      };
  return (
    <Decision
      request={request}
      words={words}
      onConfirmed={() =>
        isBuying ? navigate(paths.buyFor(coupon.id)) : void openDialog('redeem', { coupon })
      }
    >
      <CouponTicket coupon={coupon} size="small" isLinked={false} />
    </Decision>
  );
}

function Message({ request, children }: Asked & { children: ReactNode }) {
  return (
    <Decision
      request={request}
      words={{
        title: t`Send this message?`,
        confirm: t`Send message`,
        paragraphs: [t`The others in this deal read it in your name.`],
      }}
    >
      {children}
      <Text component="blockquote" dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
        {request.message}
      </Text>
    </Decision>
  );
}
