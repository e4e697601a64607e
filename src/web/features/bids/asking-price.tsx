import { Button, Group, Text } from '@mantine/core';
import type { Coupon } from '#contract/coupons.ts';
import { BASE_CURRENCY, decimalToCents, formatMoney } from '#contract/money.ts';
import { paths } from '#contract/pages.ts';
import { SHELL_TEXTS } from '#contract/shell-texts.ts';
import { useAsMember } from '#web/lib/as-member.ts';
import { useDialogLink } from '#web/lib/dialog-link.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { ActiveOnly, useViewer } from '#web/lib/viewer.tsx';

interface AskingPriceProps {
  readonly coupon: Coupon;
  /** Whether the viewer may bid on it now. */
  readonly isFree: boolean;
}

/** What the owner asks for a coupon, and the button that pays it; for the owner, their two prices. */
export function AskingPrice({ coupon, isFree }: AskingPriceProps) {
  const { user } = useViewer();
  const asMember = useAsMember();
  const buy = () => openDialog('buy', { coupon });
  const { askingPrice, priceFloor, ownerId, ownerUsername } = coupon;
  useDialogLink('buy', isFree && (() => user && askingPrice !== null && buy()));
  if (askingPrice === null) return null;
  const price = dollars(askingPrice);
  if (user?.id === ownerId) {
    return (
      <Text component="section" aria-label="Your prices">
        You ask <b>{price}</b>. We accept bids at or above it right away.{' '}
        {priceFloor !== null &&
          `We do not tell you about bids below ${dollars(priceFloor)}. Only you can see this.`}
      </Text>
    );
  }
  return (
    <Group component="section" gap="md" aria-label="Asking price">
      <Text>
        {ownerUsername} asks <b>{price}</b>.
      </Text>
      {isFree && (
        <ActiveOnly>
          <Button onClick={() => asMember(buy, paths.buy(coupon.id), SHELL_TEXTS.requests.logInToBid)}>
            Buy now
          </Button>
        </ActiveOnly>
      )}
    </Group>
  );
}

function dollars(amount: string): string {
  return formatMoney(decimalToCents(amount), BASE_CURRENCY);
}
