import { formatDateTime } from '#web/lib/format.ts';
import { timeAgo } from '#web/lib/time-ago.ts';
import { useNow } from '#web/lib/use-now.ts';

/** How long ago something was; the exact time is there for whoever points at it. */
export function TimeAgo({ instant }: { instant: string }) {
  const now = useNow();
  return (
    <time dateTime={instant} title={formatDateTime(instant)}>
      {timeAgo(instant, now)}
    </time>
  );
}
