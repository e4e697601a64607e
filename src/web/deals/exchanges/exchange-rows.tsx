import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { Exchange } from '#contract/deals/exchanges.ts';
import { CouponTicket, CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import { StatusBadge } from '#web/components/status-badge.tsx';
import { Surface } from '#web/components/surface.tsx';
import { DetailsButton, MessagesButton } from '#web/deals/core/deal-buttons.tsx';
import { TicketPairSkeleton } from '#web/deals/core/ticket-pair.tsx';
import { formatDate } from '#web/lib/format.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { ExchangeActions, NewCouponLink, SuccessorLink } from './exchange-actions.tsx';
import { ExchangePair } from './exchange-pair.tsx';
import classes from './exchanges.module.css';
import { moneySentences } from './money.ts';
import { couponsOf, type ExchangeAct, otherParties, sideOf } from './sides.ts';

interface ExchangeRowsProps {
  readonly exchanges: readonly Exchange[];
  readonly onOpen: (exchange: Exchange) => void;
  readonly onAct: (exchange: Exchange, act: ExchangeAct) => void;
}

/** Who proposes to whom, and who pays besides. */
function Users({ exchange }: { exchange: Exchange }) {
  const viewerId = useMember().id;
  const money = moneySentences(exchange, viewerId);
  if (exchange.marketDay !== null)
    return (
      <div>
        <Trans>with {otherParties(exchange, viewerId)}</Trans>
      </div>
    );
  return (
    <>
      <div>
        <Text span inherit c="dimmed">
          <Trans>From</Trans>{' '}
        </Text>
        {exchange.requesterUsername}
      </div>
      <div>
        <Text span inherit c="dimmed">
          <Trans>To</Trans>{' '}
        </Text>
        {otherParties(exchange, exchange.requesterId)}
      </div>
      {money !== '' && <div>{money}</div>}
    </>
  );
}

interface RowActionsProps extends Pick<ExchangeRowsProps, 'onOpen' | 'onAct'> {
  readonly exchange: Exchange;
}

function RowActions({ exchange, onOpen, onAct }: RowActionsProps) {
  const { id } = exchange;
  return (
    <>
      <ExchangeActions exchange={exchange} onAct={(act) => onAct(exchange, act)} />
      <NewCouponLink exchange={exchange} />
      <SuccessorLink exchange={exchange} />
      <MessagesButton
        dealType="exchange"
        dealId={id}
        label={t`Messages of exchange #${id}`}
        size="compact-sm"
      />
      <DetailsButton
        dealId={id}
        label={t`Details of exchange #${id}`}
        size="compact-sm"
        onOpen={() => onOpen(exchange)}
      />
    </>
  );
}

/** The requested and the offered coupons that the viewer gives or gets. */
function TicketCells({ exchange }: { exchange: Exchange }) {
  const viewer = useMember();
  const { gives, gets } = couponsOf(exchange, viewer.id);
  const isRequester = sideOf(exchange, viewer.id) === 'requester';
  return (isRequester ? [gets, gives] : [gives, gets]).map((coupons, column) => (
    <Table.Td key={column === 0 ? 'requested' : 'offered'} className={classes.coupon}>
      <Stack gap={6}>
        {coupons.map((coupon) => (
          <CouponTicket key={coupon.id} coupon={coupon} size="mini" />
        ))}
      </Stack>
    </Table.Td>
  ));
}

/** The table's columns; the first row sets their widths. */
const COLUMNS = [
  { name: t`Requested Coupon`, className: classes.coupon },
  { name: t`Offered Coupon`, className: classes.coupon },
  { name: t`Users`, className: classes.users },
  { name: t`Date`, className: classes.date },
  { name: t`Status`, className: classes.status },
  { name: t`Actions`, className: classes.actions },
];

/** Exchanges on wide screens. A click on a row opens it; keyboards use the Details button. */
export function ExchangeTable({ exchanges, onOpen, onAct }: ExchangeRowsProps) {
  return (
    <Surface className={classes.table}>
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {COLUMNS.map(({ name, className }) => (
              <Table.Th key={name} scope="col" className={className}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {exchanges.map((exchange) => (
            <Table.Tr
              key={exchange.id}
              className={classes.row}
              onClick={({ target }) => {
                if (target instanceof Element && !target.closest('a, button')) onOpen(exchange);
              }}
            >
              <TicketCells exchange={exchange} />
              <Table.Td className={classes.users}>
                <Users exchange={exchange} />
              </Table.Td>
              <Table.Td className={classes.date}>{formatDate(exchange.createdAt)}</Table.Td>
              <Table.Td>
                <StatusBadge dealType="exchange" status={exchange.status} />
              </Table.Td>
              <Table.Td className={classes.actions}>
                <Group gap={6}>
                  <RowActions exchange={exchange} onOpen={onOpen} onAct={onAct} />
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Surface>
  );
}

/** Exchanges on small screens. */
export function ExchangeCards({ exchanges, onOpen, onAct }: ExchangeRowsProps) {
  return (
    <PlainList gap={16}>
      {exchanges.map((exchange) => (
        <Surface component="li" key={exchange.id} className={classes.card}>
          <Group justify="space-between" mb="sm" gap="xs">
            <StatusBadge dealType="exchange" status={exchange.status} />
            <Text size="sm" c="dimmed">
              {formatDate(exchange.createdAt)}
            </Text>
          </Group>
          <ExchangePair exchange={exchange} />
          <Group mt="sm" gap="lg" fz="sm">
            <Users exchange={exchange} />
          </Group>
          <Group mt="md" gap="xs">
            <RowActions exchange={exchange} onOpen={onOpen} onAct={onAct} />
          </Group>
        </Surface>
      ))}
    </PlainList>
  );
}

/** The list while it loads, in its final shape. */
export function ExchangeRowsSkeleton({ isWide }: { isWide: boolean }) {
  return isWide ? <TableSkeleton /> : <CardsSkeleton />;
}

function TableSkeleton() {
  return (
    <Surface className={classes.table} aria-hidden="true">
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            {COLUMNS.map(({ name, className }) => (
              <Table.Th key={name} className={className}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Repeat count={5}>
            <Table.Tr>
              <Table.Td className={classes.coupon}>
                <CouponTicketSkeleton size="mini" />
              </Table.Td>
              <Table.Td className={classes.coupon}>
                <CouponTicketSkeleton size="mini" />
              </Table.Td>
              <Table.Td>
                <Skeleton height={14} mb={8} />
                <Skeleton height={14} />
              </Table.Td>
              <Table.Td>
                <Skeleton height={14} />
              </Table.Td>
              <Table.Td>
                <Skeleton height={22} radius="xl" />
              </Table.Td>
              <Table.Td>
                <Skeleton height={30} radius="xl" />
              </Table.Td>
            </Table.Tr>
          </Repeat>
        </Table.Tbody>
      </Table>
    </Surface>
  );
}

function CardsSkeleton() {
  return (
    <Stack gap="md" aria-hidden="true">
      <Repeat count={3}>
        <Surface className={classes.card}>
          <Group justify="space-between" mb="sm">
            <Skeleton height={22} width={80} radius="xl" />
            <Skeleton height={14} width={80} />
          </Group>
          <TicketPairSkeleton size="small" />
          <Skeleton height={14} width={160} mt="sm" />
          <Skeleton height={44} width={180} radius="xl" mt="md" />
        </Surface>
      </Repeat>
    </Stack>
  );
}
