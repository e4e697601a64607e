import { t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { Fragment } from 'react';
import type { CouponSummary } from '#contract/coupons/coupons.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { NoCodeNote, NotTransferableNote } from '#web/components/deal-notes.tsx';
import { NewCodeNote } from '#web/coupons/codes/new-code.tsx';
import { Standing } from '#web/deals/core/standing.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { depositSentence } from './deposit.ts';
import { moneySentences } from './money.ts';
import { nothingFor, nothingFromOwner } from './wording.ts';

/** What the viewer gives and gets, who pays besides, and the deposit. */
export function ExchangeTerms({ exchange }: { exchange: Exchange }) {
  const { legs, parties } = exchange;
  const viewerId = useMember().id;
  const money = [moneySentences(exchange, viewerId), depositSentence(exchange)].filter(Boolean).join(' ');
  const gives = legs.filter(({ giverId }) => giverId === viewerId);
  const gets = legs.filter(({ receiverId }) => receiverId === viewerId);
  return (
    <Stack gap="xs">
      {parties.map((party) => party.id !== viewerId && <Standing key={party.id} person={party} />)}
      {gives.map(({ coupon, receiverUsername }, index) => (
        <Fragment key={coupon.id}>
          <Mention label={index === 0 && t`You give`} coupon={coupon} />
          {!coupon.hasCode && <NoCodeNote>{nothingFor(receiverUsername)}</NoCodeNote>}
        </Fragment>
      ))}
      {gets.map(({ coupon, giverUsername }, index) => (
        <Fragment key={coupon.id}>
          <Mention label={index === 0 && t`You get`} coupon={coupon} />
          {coupon.transferable === 'no' && <NotTransferableNote />}
          {!coupon.hasCode && <NoCodeNote>{nothingFromOwner(giverUsername)}</NoCodeNote>}
          <NewCode id={coupon.id} />
        </Fragment>
      ))}
      {money !== '' && <Text fw={600}>{money}</Text>}
    </Stack>
  );
}

/** A deal does not know whether the merchant makes new codes; the coupon does. */
function NewCode({ id }: { id: number }) {
  const { data: coupon } = trpc.coupons.byId.useQuery({ id });
  return coupon?.isReissuable && <NewCodeNote merchant={coupon.merchant} />;
}

function Mention({ label, coupon }: { label: string | false; coupon: CouponSummary }) {
  return (
    <div>
      {label && (
        <Text size="sm" c="dimmed" fw={600} mb={4}>
          {label}
        </Text>
      )}
      <CouponTicket coupon={coupon} size="mini" isLinked={false} />
    </div>
  );
}
