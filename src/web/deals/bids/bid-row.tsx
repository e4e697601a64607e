import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowsExchange,
  IconInfoCircle,
  IconMessages,
  IconX,
} from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { Bid } from '#contract/deals/bids.ts';
import type { Deal } from '#contract/deals/deal-list.ts';
import type { Protection } from '#contract/money/payments.ts';
import type { Action } from '#web/components/action-button.tsx';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { focusAfterAct } from '#web/deals/core/deal-buttons.tsx';
import { DealRow } from '#web/deals/core/deal-row.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useNow } from '#web/lib/time-ago.ts';
import { useMayAct, useMember } from '#web/lib/viewer.tsx';
import { useAnswerCode } from './answer-code.ts';
import { paymentTitle } from './protection-wording.ts';
import { dealNote, dealSentence } from './row-wording.ts';
import { actsFor, type BidAct, mayCounter, payState, sideOf } from './sides.ts';
import { actLabel, amountsOf, charged } from './wording.ts';

interface BidRowProps {
  readonly deal: Extract<Deal, { dealType: 'bid' }>;
}

/** A bid in the list of all deals. */
export function BidRow({ deal }: BidRowProps) {
  const { bid } = deal;
  const side = sideOf(bid, useMember().id);
  return (
    <DealRow
      tickets={<CouponTicket coupon={bid.coupon} size="mini" isLinked={false} />}
      about={bid.coupon.title}
      sentence={dealSentence(deal, side)}
      to={paths.bid(bid.id)}
      note={dealNote(deal, side, paymentTitle(bid, side), useNow())}
      nextAct={<NextAct deal={deal} />}
      actions={useRarerActs(deal)}
    />
  );
}

const nameOf = (bid: Bid) => t`${charged(amountsOf(bid).amount)} for ${bid.coupon.title}`;

const act = (bid: Bid, what: BidAct) =>
  openDialog('actOnBid', { bid, act: what }, { focusAfter: focusAfterAct(bid.id) });

/** The button of the row, filled where it is the viewer's turn. */
function NextAct({ deal: { bid, nextAct } }: Pick<BidRowProps, 'deal'>) {
  const isBidder = sideOf(bid, useMember().id) === 'bidder';
  const mayAct = useMayAct();
  switch (nextAct) {
    case 'answer':
      return (
        mayAct && (
          <Button
            aria-haspopup="dialog"
            aria-label={t`Accept: ${nameOf(bid)}`}
            onClick={() => act(bid, 'accepted')}
          >
            <Trans>Accept</Trans>
          </Button>
        )
      );
    case 'set_up_payments':
      return (
        <Button component={Link} to={paths.sellerOnboarding}>
          <Trans>Set up payments</Trans>
        </Button>
      );
    case 'answer_claim':
      return (
        <Button
          component={Link}
          to={paths.answerClaim('bid', bid.id, bid.coupon.id)}
          aria-label={t`Answer claim: ${bid.coupon.title}`}
        >
          <Trans>Answer claim</Trans>
        </Button>
      );
    case 'try_code':
      return bid.protection && <TryCode bid={bid} protection={bid.protection} />;
    case 'complete':
    case 'put_up_deposit':
    case 'pay':
    case null:
      return (
        isBidder &&
        payState(bid) === 'payable' && (
          <Button
            component={Link}
            to={paths.checkout(bid.id)}
            // While the seller cannot be paid, it is not the bidder's turn.
            variant={nextAct === 'pay' ? 'filled' : 'default'}
            aria-label={t`Pay Now: ${charged(amountsOf(bid).buyerTotal)} for ${bid.coupon.title}`}
          >
            <Trans>Pay Now</Trans>
          </Button>
        )
      );
  }
}

/** Both answers of a buyer who can still have the money back. */
function TryCode({ bid: { id, coupon }, protection }: { bid: Bid; protection: Protection }) {
  const { works, fails } = useAnswerCode({ bidId: id, protection, focusAfter: focusAfterAct(id) });
  return (
    <Group gap="xs" data-answers>
      <Button aria-haspopup="dialog" aria-label={t`Worked: ${coupon.title}`} onClick={works}>
        <Trans>Worked</Trans>
      </Button>
      <Button
        variant="default"
        aria-haspopup="dialog"
        aria-label={t`Didn’t work: ${coupon.title}`}
        onClick={fails}
      >
        <Trans>Didn’t work</Trans>
      </Button>
    </Group>
  );
}

/** What is not the next act: the other answers, the messages and the details. */
function useRarerActs({ bid, nextAct }: BidRowProps['deal']): Action[] {
  const side = sideOf(bid, useMember().id);
  const mayAct = useMayAct();
  const navigate = useNavigate();
  const answers = mayAct
    ? actsFor(bid, side).filter((what) => what !== 'accepted' || nextAct !== 'answer')
    : [];
  return [
    ...(mayAct && mayCounter(bid, side)
      ? [
          {
            icon: IconArrowsExchange,
            label: t`Counter`,
            name: t`Counter: ${nameOf(bid)}`,
            'aria-haspopup': 'dialog' as const,
            onClick: () => openDialog('counterBid', { bid }, { focusAfter: focusAfterAct(bid.id) }),
          },
        ]
      : []),
    ...answers.map((what) => ({
      icon: what === 'cancelled' ? IconArrowBackUp : IconX,
      label: actLabel(what, bid, side),
      name: t`${actLabel(what, bid, side)}: ${nameOf(bid)}`,
      'aria-haspopup': 'dialog' as const,
      onClick: () => act(bid, what),
    })),
    {
      icon: IconMessages,
      label: t`Messages`,
      name: t`Messages`,
      'aria-haspopup': 'dialog',
      onClick: () => openDialog('messages', { deal: { dealType: 'bid', dealId: bid.id } }),
    },
    {
      icon: IconInfoCircle,
      label: t`Details`,
      name: t`Details`,
      onClick: () => void navigate(paths.bid(bid.id)),
    },
  ];
}
