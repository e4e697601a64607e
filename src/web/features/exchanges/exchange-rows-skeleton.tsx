import { Group, Skeleton, Stack, Table } from '@mantine/core';
import { CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import pair from '#web/components/swap-pair.module.css';
import classes from './exchange-rows.module.css';
import { COLUMNS } from './exchange-rows.tsx';

/** The list while it loads, in the shape it will have. */
export function ExchangeRowsSkeleton({ isWide }: { isWide: boolean }) {
  return isWide ? <TableSkeleton /> : <CardsSkeleton />;
}

function TableSkeleton() {
  return (
    <div className={classes.table} aria-hidden="true">
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
    </div>
  );
}

function CardsSkeleton() {
  return (
    <Stack gap="md" aria-hidden="true">
      <Repeat count={3}>
        <div className={classes.card}>
          <Group justify="space-between" mb="sm">
            <Skeleton height={22} width={80} radius="xl" />
            <Skeleton height={14} width={80} />
          </Group>
          <div className={pair.pair}>
            <CouponTicketSkeleton size="small" />
            <span className={pair.sign} />
            <CouponTicketSkeleton size="small" />
          </div>
          <Skeleton height={14} width={160} mt="sm" />
          <Skeleton height={44} width={180} radius="xl" mt="md" />
        </div>
      </Repeat>
    </Stack>
  );
}
