import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type TouchEvent, useEffect, useEffectEvent, useRef } from 'react';
import classes from './redeem-dialog.module.css';

/** Goes through the codes of one merchant. */
export interface Till {
  /** The place of the code that is shown, from 0. */
  readonly place: number;
  readonly count: number;
  readonly merchant: string;
  readonly onGo: (place: number) => void;
}

/** Says which code of the merchant's is shown; two buttons and the arrow keys go to the others. */
export function TillBar({ till }: { till: Till }) {
  const { place, count, merchant } = till;
  const shown = place + 1;
  const bar = useRef<HTMLElement>(null);
  const press = useEffectEvent((event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const { target } = event;
    if (!step || event.altKey || event.ctrlKey || event.metaKey || !(target instanceof Element)) return;
    // Tabs and fields use the arrows themselves, and another dialog may lie in front.
    if (target.closest('[role="tab"], input, textarea')) return;
    if (bar.current?.closest('[role="dialog"]')?.contains(target)) go(till, step);
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  // A disabled button would lose the focus, and the arrow keys with it.
  const endOf = (isEnd: boolean) => isEnd && { 'data-disabled': true, 'aria-disabled': true };
  return (
    <nav ref={bar} className={classes.till} aria-label={t`Coupons at ${merchant}`}>
      <Button
        variant="default"
        leftSection={<IconChevronLeft size={18} aria-hidden="true" />}
        onClick={() => go(till, -1)}
        {...endOf(place === 0)}
      >
        <Trans>Previous</Trans>
      </Button>
      <Text size="sm" ta="center" role="status">
        <Trans>
          {shown} of {count} at {merchant}
        </Trans>
      </Text>
      <Button
        variant="default"
        rightSection={<IconChevronRight size={18} aria-hidden="true" />}
        onClick={() => go(till, 1)}
        {...endOf(place === count - 1)}
      >
        <Trans>Next</Trans>
      </Button>
    </nav>
  );
}

function go({ place, count, onGo }: Till, step: number): void {
  const next = place + step;
  if (next >= 0 && next < count) onGo(next);
}

/** In pixels: a shorter way across the screen is no swipe. */
const SWIPE_MIN = 60;

/** Goes to the next code by a swipe to the left, and back by one to the right. */
export function useSwipe(till: Till | null) {
  const from = useRef<{ readonly x: number; readonly y: number } | null>(null);
  if (!till) return {};
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const [only] = Array.from(touches);
      from.current = only && touches.length === 1 ? { x: only.clientX, y: only.clientY } : null;
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const [end] = Array.from(changedTouches);
      if (!from.current || !end) return;
      const [across, down] = [end.clientX - from.current.x, end.clientY - from.current.y];
      from.current = null;
      if (Math.abs(across) >= SWIPE_MIN && Math.abs(across) > 2 * Math.abs(down))
        go(till, -Math.sign(across));
    },
  };
}
