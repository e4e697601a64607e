import { CloseButton, Container, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { withStorage } from '#web/lib/storage.ts';
import classes from './page-notice.module.css';

interface PageNoticeProps {
  /** Names the place that is kept for it. */
  readonly name: string;
  /** Names the region for people. */
  readonly label: string;
  /** Whether it is known yet if the notice is shown: until then its place is kept, so that the page does not jump. */
  readonly isKnown: boolean;
  /** Null where there is nothing to say. */
  readonly notice: Notice | null;
}

interface Notice {
  /** The bold beginning of the text. */
  readonly lead: string;
  /** The rest of the text. */
  readonly text: string;
  /** The button that acts on it. */
  readonly action: ReactNode;
  /** While an urgent notice is shown the others are hidden. */
  readonly isUrgent?: boolean;
  /** Missing for a notice that stays. */
  readonly close?: { readonly label: string; readonly onClose: () => void };
}

/** A notice above the content of the page. */
export function PageNotice({ name, label, isKnown, notice }: PageNoticeProps) {
  const { slot, minHeight } = useStoredHeight(name, isKnown);
  const hide = () => {
    notice?.close?.onClose();
    // The focused button is gone: move the focus to the page's content.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (
    <div ref={slot} style={{ minHeight }}>
      {notice && (
        <aside
          className={classes.notice}
          aria-label={label}
          data-urgent={notice.isUrgent || undefined}
          data-closable={notice.close !== undefined || undefined}
        >
          <Container size="xl" className={classes.inside}>
            <Text className={classes.text} size="sm">
              <Text span inherit fw={700}>
                {notice.lead}
              </Text>{' '}
              {notice.text}
            </Text>
            {notice.action}
            {notice.close && (
              <CloseButton
                className={classes.close}
                iconSize={18}
                aria-label={notice.close.label}
                onClick={hide}
              />
            )}
          </Container>
        </aside>
      )}
    </div>
  );
}

/** Reserves the notice's last height in this browser until its content is known. */
function useStoredHeight(name: string, isKnown: boolean) {
  const key = `clipswap.notice.${name}`;
  const slot = useRef<HTMLDivElement>(null);
  const [height] = useState(() => storedHeight(key));
  useEffect(() => {
    if (!isKnown || !slot.current) return;
    const { current } = slot;
    const observer = new ResizeObserver(() =>
      withStorage('localStorage', (storage) => storage.setItem(key, String(current.offsetHeight))),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [isKnown, key]);
  return { slot, minHeight: isKnown ? undefined : height };
}

/** The height in the last window, which is close enough if this one has another width. */
function storedHeight(key: string): number {
  const stored = withStorage('localStorage', (storage) => Number(storage.getItem(key)));
  return Number.isFinite(stored) ? (stored ?? 0) : 0;
}
