import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { ActionButton } from '#web/components/action-button.tsx';
import { Toolbar } from '#web/components/toolbar.tsx';
import { dealObstacle } from '#web/coupons/core/wording.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import { SavedToggle } from './saved-toggle.tsx';

interface DealActionsProps {
  readonly coupon: Coupon;
  readonly onExchange: (coupon: Coupon) => void;
  readonly onBid: (coupon: Coupon) => void;
  readonly onValidate: (coupon: Coupon) => void;
  /** Replaces the save button in lists. */
  readonly instead?: ReactNode;
  /** The button that reports the owner. It belongs to another feature. */
  readonly report?: ReactNode;
}

/** Padding that fits two buttons side by side on the narrowest ticket, in pixels. */
const NARROW = 14;

/**
 * Actions on another user's coupon in a list: exchange, bid, validate, save and report; or why no deal is possible. The
 * keyboard finds them as one group: Tab comes to it, arrows go from one to the next.
 */
export function DealActions({ coupon, onExchange, onBid, onValidate, instead, report }: DealActionsProps) {
  const obstacle = dealObstacle(coupon);
  return (
    <Toolbar label={t`Actions for ${coupon.title}`}>
      {obstacle === null ? (
        <ActiveOnly>
          {coupon.isOpenToOffers && (
            <Button variant="default" px={NARROW} onClick={() => onExchange(coupon)}>
              <Trans context="button">Exchange</Trans>
            </Button>
          )}
          <Button variant="default" px={NARROW} onClick={() => onBid(coupon)}>
            <Trans context="button">Bid</Trans>
          </Button>
        </ActiveOnly>
      ) : (
        <Text size="sm" c="dimmed" py={7}>
          {obstacle}
        </Text>
      )}
      <span data-side>
        {instead ?? <SavedToggle coupon={coupon} />}
        {coupon.hasCode && (
          <ActionButton
            icon={IconShieldCheck}
            label={t`Validate`}
            name={t`Validate ${coupon.title}`}
            hint={t`Validate the code`}
            isIcon
            onClick={() => onValidate(coupon)}
          />
        )}
        {report}
      </span>
    </Toolbar>
  );
}
