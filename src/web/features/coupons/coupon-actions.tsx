import { Button, Text } from '@mantine/core';
import { IconArrowsLeftRight, IconCoin, IconShieldCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Coupon } from '#contract/coupons.ts';
import { ActionButton } from '#web/components/action-button.tsx';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import { SavedToggle } from './saved-toggle.tsx';
import { dealObstacle } from './wording.ts';

interface DealActionsProps {
  readonly coupon: Coupon;
  readonly onExchange: (coupon: Coupon) => void;
  readonly onBid: (coupon: Coupon) => void;
  readonly onValidate: (coupon: Coupon) => void;
  /** On the coupon's own page: larger buttons with icons. */
  readonly isPrimary?: boolean;
  /** Replaces the save button in lists. */
  readonly instead?: ReactNode;
  /** The button that reports the owner. It belongs to another feature. */
  readonly report?: ReactNode;
}

/** Padding that fits two buttons side by side on the narrowest ticket, in pixels. */
const NARROW = 14;

/** Actions on another user's coupon: exchange, bid, validate, save and report; or why no deal is possible. */
export function DealActions(props: DealActionsProps) {
  const { coupon, onExchange, onBid, onValidate, isPrimary, instead, report } = props;
  const obstacle = dealObstacle(coupon);
  const save = <SavedToggle coupon={coupon} isLabelled={isPrimary} />;
  const validate = coupon.hasCode && (
    <ActionButton
      icon={IconShieldCheck}
      label="Validate"
      name={isPrimary ? 'Validate' : `Validate ${coupon.title}`}
      hint="Validate the code"
      isIcon={!isPrimary}
      onClick={() => onValidate(coupon)}
    />
  );
  return (
    <>
      {obstacle === null ? (
        <ActiveOnly>
          {coupon.isOpenToOffers && (
            <Button
              variant={isPrimary ? 'filled' : 'default'}
              px={isPrimary ? undefined : NARROW}
              leftSection={isPrimary && <IconArrowsLeftRight size={18} aria-hidden="true" />}
              onClick={() => onExchange(coupon)}
            >
              Exchange
            </Button>
          )}
          <Button
            variant="default"
            px={isPrimary ? undefined : NARROW}
            leftSection={isPrimary && <IconCoin size={18} aria-hidden="true" />}
            onClick={() => onBid(coupon)}
          >
            Bid
          </Button>
        </ActiveOnly>
      ) : (
        <Text size="sm" c="dimmed" py={7}>
          {obstacle}
        </Text>
      )}
      {isPrimary ? (
        <>
          {save}
          {validate}
          {report}
        </>
      ) : (
        <span data-side>
          {instead ?? save}
          {validate}
          {report}
        </span>
      )}
    </>
  );
}
