import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { listed } from '#contract/base/locale.ts';
import { moneyText } from '#contract/base/money.ts';
import { paths } from '#contract/base/pages.ts';
import type { Bid } from '#contract/deals/bids.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import { payState, standingAmount } from '#web/deals/bids/sides.ts';
import { timeLeft } from '#web/deals/core/time-left.ts';
import { formatDate } from '#web/lib/format.ts';

interface OwnDealProps {
  readonly text: string;
  readonly to: string;
}

/** One deal of the viewer's, with the way to it. */
function OwnDeal({ text, to }: OwnDealProps) {
  return (
    <Text fw={600}>
      {text}{' '}
      <Anchor component={Link} to={to} underline="always" fw={600} className="target">
        <Trans>See it</Trans>
      </Anchor>
    </Text>
  );
}

/** The viewer's open bid on a coupon: what they offered, or until when they pay. */
export function OwnBid({ bid }: { bid: Bid }) {
  if (bid.status !== 'accepted') {
    const text = t`You offered ${moneyText(standingAmount(bid))} on ${formatDate(bid.createdAt)}.`;
    return <OwnDeal text={text} to={paths.bid(bid.id)} />;
  }
  if (payState(bid) !== 'payable')
    return <OwnDeal text={t`Yours: your payment is under way.`} to={paths.bid(bid.id)} />;
  const time = bid.deadlineAt && timeLeft(bid.deadlineAt, new Date());
  return (
    <Stack gap="xs" align="flex-start">
      <OwnDeal text={time ? t`Yours: pay within ${time}.` : t`Yours: please pay.`} to={paths.bid(bid.id)} />
      <Button component={Link} to={paths.checkout(bid.id)}>
        <Trans>Pay Now</Trans>
      </Button>
    </Stack>
  );
}

/** What a person gives in an exchange: its coupons, and the money besides. */
function givenIn({ legs }: Exchange, userId: number): string {
  const given = legs.filter(({ giverId }) => giverId === userId).map(({ coupon }) => t`“${coupon.title}”`);
  const prices = legs.flatMap(({ receiverId, price }) =>
    price && receiverId === userId ? [moneyText(price.amount)] : [],
  );
  return listed([...given, ...prices]);
}

/** The viewer's open exchange for a coupon. */
export function OwnExchange({ exchange, viewerId }: { exchange: Exchange; viewerId: number }) {
  const to = paths.exchange(exchange.id);
  if (exchange.status === 'accepted') return <OwnDeal text={t`Reserved for your exchange.`} to={to} />;
  return exchange.requesterId === viewerId ? (
    <OwnDeal
      text={t`You offered ${givenIn(exchange, viewerId)} on ${formatDate(exchange.createdAt)}.`}
      to={to}
    />
  ) : (
    <OwnDeal text={t`${exchange.requesterUsername} offers it to you in an exchange.`} to={to} />
  );
}
