import { formatDateTime } from '#web/lib/format.ts';
import { timeAgo, useNow } from '#web/lib/time-ago.ts';

/** How long ago something was; the exact time is in the title. */
export function TimeAgo({ instant }: { instant: string }) {
  const now = useNow();
  return (
    <time dateTime={instant} title={formatDateTime(instant)}>
      {timeAgo(instant, now)}
    </time>
  );
}
