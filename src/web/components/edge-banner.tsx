import { CloseButton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './edge-banner.module.css';

interface EdgeBannerProps {
  /** Names the region. */
  readonly label: string;
  /** The bold beginning of the text. */
  readonly lead: string;
  /** The rest of the text. */
  readonly text: string;
  /** The button that acts on it. */
  readonly children: ReactNode;
  /** While an urgent banner is shown the others are hidden. */
  readonly isUrgent?: boolean;
  /** Missing for a banner that stays. */
  readonly close?: { readonly label: string; readonly onClose: () => void };
}

/** A notice over the page's lower edge: nothing moves when it appears or goes. */
export function EdgeBanner(props: EdgeBannerProps) {
  const hide = () => {
    props.close?.onClose();
    // The focused button is gone: move the focus to the page's content.
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
      {props.close && (
        <CloseButton className={classes.close} iconSize={18} aria-label={props.close.label} onClick={hide} />
      )}
    </aside>
  );
}
