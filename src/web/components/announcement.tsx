import { VisuallyHidden } from '@mantine/core';
import { useState } from 'react';

interface AnnouncementProps {
  /** Undefined until it is known; the first known count is not announced. */
  readonly count: number | undefined;
  readonly text: (count: number) => string;
}

/** Announces to screen readers when a count has grown. */
export function Announcement({ count, text }: AnnouncementProps) {
  const [last, setLast] = useState(count);
  const [announced, setAnnounced] = useState('');
  if (count !== last) {
    setLast(count);
    setAnnounced(count !== undefined && last !== undefined && count > last ? text(count) : '');
  }
  return <VisuallyHidden role="status">{announced}</VisuallyHidden>;
}
