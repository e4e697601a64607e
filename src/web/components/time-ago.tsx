import { formatDateTime } from '#web/lib/format.ts';
import { useIsTakenOver } from '#web/lib/is-taken-over.ts';
import { timeAgo, useNow } from '#web/lib/time-ago.ts';

/** How long ago something was; the exact time is in the title. */
export function TimeAgo({ instant }: { instant: string }) {
  const now = useNow();
  const isTakenOver = useIsTakenOver();
  return (
    <time dateTime={instant} title={isTakenOver ? formatDateTime(instant) : undefined}>
      {timeAgo(instant, now)}
    </time>
  );
}
