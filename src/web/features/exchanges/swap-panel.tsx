import { Button, Text } from '@mantine/core';
import { IconArrowsLeftRight } from '@tabler/icons-react';
import { DealPanel } from '#web/components/deal-panel.tsx';
import { ActiveOnly } from '#web/lib/viewer.tsx';

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
      button={
        <ActiveOnly>
          <Button
            variant={isPrimary ? 'filled' : 'default'}
            leftSection={<IconArrowsLeftRight size={18} aria-hidden="true" />}
            onClick={onSwap}
          >
            Propose swap
          </Button>
        </ActiveOnly>
      }
    >
      <Text>Free. Offer one or more of your coupons.</Text>
      <Text size="sm" c="dimmed">
        If {ownerUsername} accepts, you both confirm, and the coupons change owners at the same moment.
      </Text>
    </DealPanel>
  );
}
