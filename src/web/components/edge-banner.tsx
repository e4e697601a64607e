import { CloseButton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './edge-banner.module.css';

interface EdgeBannerProps {
  /** Names the region. */
  readonly label: string;
  /** What it is about, in front and bold. */
  readonly lead: string;
  /** The rest of the text. */
  readonly text: string;
  /** What can be done about it. */
  readonly children: ReactNode;
  readonly closeLabel: string;
  /** While an urgent one is there the others are not shown. */
  readonly isUrgent?: boolean;
  readonly onClose: () => void;
}

/**
 * Something worth knowing that lies over the page's lower edge: nothing moves when it comes, and nothing when it goes.
 */
export function EdgeBanner(props: EdgeBannerProps) {
  const putAway = () => {
    props.onClose();
    // The button that had the keyboard is gone; the page's content is where it was.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (
    <aside className={classes.banner} aria-label={props.label} data-urgent={props.isUrgent || undefined}>
      <Text className={classes.text} size="sm">
        <Text span inherit fw={700}>
          {props.lead}
        </Text>{' '}
        {props.text}
      </Text>
      {props.children}
      <CloseButton className={classes.close} iconSize={18} aria-label={props.closeLabel} onClick={putAway} />
    </aside>
  );
}
