import { useEffect } from 'react';
import { type LiveEvent, liveEventSchema } from '#contract/live.ts';
import { keepLine } from '#web/lib/live-line.ts';
import { shareLine } from '#web/lib/live-share.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { useAskWhoIsThere, useOpenLine, useReadAnew } from './queries.ts';

function parseEvent(passed: unknown): LiveEvent | null {
  const event = liveEventSchema.safeParse(passed);
  return event.success ? event.data : null;
}

/** Keeps what is on screen true while somebody is signed in, without anybody reloading. Shows nothing itself. */
export function LiveLine() {
  const userId = useViewer().user?.id;
  const open = useOpenLine();
  const onEvent = useReadAnew();
  const onRefused = useAskWhoIsThere();
  useEffect(() => {
    if (userId === undefined) return;
    return shareLine<LiveEvent>({
      name: `clipswap-live-${userId}`,
      keep: (tell) => keepLine({ open, onEvent: tell, onRefused }),
      onEvent,
      parse: parseEvent,
    });
  }, [userId, open, onEvent, onRefused]);
  return null;
}
