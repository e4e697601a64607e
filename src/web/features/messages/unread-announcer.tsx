import { Announcement } from '#web/components/announcement.tsx';
import { useUnreadMessages } from './queries.ts';

/** Tells a screen reader, politely, that a message has come while something else is on screen. */
export function UnreadAnnouncer() {
  const unread = useUnreadMessages(true);
  return <Announcement count={unread} text={(count) => `New message. ${count} unread.`} />;
}
