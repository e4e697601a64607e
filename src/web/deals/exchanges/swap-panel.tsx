import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { IconArrowsLeftRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { DealPanel } from '#web/deals/core/deal-panel.tsx';

interface SwapPanelProps {
  readonly ownerUsername: string;
  readonly answerHours: number | null;
  /** Whether it is the first of the ways. */
  readonly isPrimary: boolean;
  readonly onSwap: () => void;
  /** The viewer's own exchange for it, in place of the button. */
  readonly own: ReactNode;
}

/** Offers one's own coupons for a coupon. */
export function SwapPanel({ ownerUsername, answerHours, isPrimary, onSwap, own }: SwapPanelProps) {
  return (
    <DealPanel
      title={t`Exchange`}
      answerHours={answerHours}
      done={own}
      button={{
        icon: IconArrowsLeftRight,
        label: t({ context: 'button', message: 'Exchange' }),
        isPrimary,
        onClick: onSwap,
      }}
    >
      <Text>
        <Trans>Free. You give one or more of your coupons.</Trans>
      </Text>
      <Text size="sm" c="dimmed">
        <Trans>
          Once {ownerUsername} has accepted, either of you can complete the exchange. All coupons in it then
          change owners at the same moment.
        </Trans>
      </Text>
    </DealPanel>
  );
}
