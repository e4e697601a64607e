import { CloseButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './offer.module.css';

interface OfferProps {
  /** What is offered, for screen readers. */
  readonly label: string;
  readonly place: 'top' | 'bottom';
  /** A text and mostly a button. */
  readonly children: ReactNode;
  readonly closeLabel: string;
  readonly onClose: () => void;
}

/** Offers something that can be declined. It lies over the page, so that nothing moves. */
export function Offer({ label, place, children, closeLabel, onClose }: OfferProps) {
  return (
    <aside className={`${classes.offer} ${classes[place]}`} aria-label={label}>
      {children}
      <CloseButton flex="none" size={44} iconSize={18} aria-label={closeLabel} onClick={onClose} />
    </aside>
  );
}
