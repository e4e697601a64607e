import { Text } from '@mantine/core';
import { IconArrowsLeftRight } from '@tabler/icons-react';
import { DealPanel } from '#web/components/deal-panel.tsx';

interface SwapPanelProps {
  readonly ownerUsername: string;
  readonly answerHours: number | null;
  /** Whether it is the first of the ways. */
  readonly isPrimary: boolean;
  readonly onSwap: () => void;
}

/** Offers one's own coupons for a coupon. */
export function SwapPanel({ ownerUsername, answerHours, isPrimary, onSwap }: SwapPanelProps) {
  return (
    <DealPanel
      title="Swap"
      answerHours={answerHours}
      button={{ icon: IconArrowsLeftRight, label: 'Propose swap', isPrimary, onClick: onSwap }}
    >
      <Text>Free. Offer one or more of your coupons.</Text>
      <Text size="sm" c="dimmed">
        Once {ownerUsername} has accepted, either of you can complete the swap. All coupons in it then change
        owners at the same moment.
      </Text>
    </DealPanel>
  );
}
