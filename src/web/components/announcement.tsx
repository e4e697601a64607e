import { VisuallyHidden } from '@mantine/core';
import { useState } from 'react';

interface AnnouncementProps {
  /** How many there are; undefined until it is known, which is no news. */
  readonly count: number | undefined;
  readonly text: (count: number) => string;
}

/** Says, for screen readers and politely, that there are more of something than before. */
export function Announcement({ count, text }: AnnouncementProps) {
  const [last, setLast] = useState(count);
  const [said, setSaid] = useState('');
  if (count !== last) {
    setLast(count);
    setSaid(count !== undefined && last !== undefined && count > last ? text(count) : '');
  }
  return <VisuallyHidden role="status">{said}</VisuallyHidden>;
}
