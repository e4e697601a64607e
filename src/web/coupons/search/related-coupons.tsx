import { t } from '@lingui/core/macro';
import { Title } from '@mantine/core';
import { useId } from 'react';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import classes from '#web/coupons/core/coupon-details.module.css';
import { CATEGORY_NAMES } from '#web/coupons/core/wording.ts';
import { trpc } from '#web/lib/trpc.ts';

/** Other coupons: of the same merchant, of the same owner, and of the same category. */
export function RelatedCoupons({ coupon }: { coupon: Coupon }) {
  const { data } = trpc.coupons.related.useQuery({ id: coupon.id });
  if (!data) return null;
  return (
    <>
      <Row title={t`More from ${coupon.merchant}`} coupons={data.ofMerchant} />
      <Row title={t`More from ${coupon.ownerUsername}`} coupons={data.ofOwner} />
      <Row title={t`More in ${CATEGORY_NAMES[coupon.category]}`} coupons={data.ofCategory} />
    </>
  );
}

function Row({ title, coupons }: { title: string; coupons: readonly Coupon[] }) {
  const id = useId();
  if (coupons.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb="sm">
        {title}
      </Title>
      <PlainList className={classes.related}>
        {coupons.map((coupon) => (
          <li key={coupon.id}>
            <CouponTicket coupon={coupon} size="small" />
          </li>
        ))}
      </PlainList>
    </section>
  );
}
