import { plural } from '@lingui/core/macro';
import { Group, Text, Title } from '@mantine/core';
import { PlainList } from '#web/components/plain-list.tsx';
import rows from '#web/components/rows.module.css';
import { ExpiryBadge } from '#web/components/status-badge.tsx';
import { RedeemButton } from './redeem-button.tsx';
import { useKeptCoupons } from './use-kept-coupons.ts';

/** The coupons whose codes this device keeps, each a press away from its code; nothing where it keeps none. */
export function KeptCodes() {
  const coupons = useKeptCoupons(true);
  if (coupons.length === 0) return null;
  return (
    <section aria-labelledby="kept-codes">
      <Title order={2} size="h4" id="kept-codes" mb="xs">
        {plural(coupons.length, { one: '# code on this device', other: '# codes on this device' })}
      </Title>
      <PlainList className={rows.list} mb="xl">
        {coupons.map((coupon) => (
          <Group component="li" key={coupon.id} gap={12} justify="space-between" wrap="nowrap" p={12}>
            <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              <Text fw={600}>{coupon.merchant}</Text>
              <Text size="sm" mb={4}>
                {coupon.title}
              </Text>
              <ExpiryBadge expiryDate={coupon.expiryDate} expiresAt={null} />
            </div>
            <div style={{ flex: 'none' }}>
              <RedeemButton coupon={coupon} isPrimary isCompact />
            </div>
          </Group>
        ))}
      </PlainList>
    </section>
  );
}
