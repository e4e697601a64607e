import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { formatDay } from '#contract/base/locale.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import { useConsents, useMarketDay } from './queries.ts';

/** For its owner: whether a coupon may go on market day without asking. */
export function CouponConsent({ coupon }: { coupon: Coupon }) {
  const { data: next } = useMarketDay();
  const { data: consents } = useConsents();
  if (!next || !consents || !coupon.isActive || coupon.isReserved || coupon.transferable === 'no')
    return null;
  const consent = consents.coupons.find((one) => one.coupon.id === coupon.id);
  const open = () => openDialog('consentForCoupon', { coupon, consent, next });
  return (
    <Group gap="xs" component="section" aria-label={t`Market day`}>
      {consent && (
        <Text>
          <Trans>
            On market day it may go for something on your wish list, until {formatDay(consent.until)}.
          </Trans>
        </Text>
      )}
      <ActiveOnly>
        <Button
          size="compact-md"
          variant={consent ? 'default' : 'light'}
          aria-haspopup="dialog"
          onClick={open}
        >
          {consent ? <Trans>Change</Trans> : <Trans>Swap without asking me again</Trans>}
        </Button>
      </ActiveOnly>
    </Group>
  );
}
