import type { LiveEvent } from '#contract/live.ts';
import { memberProcedure, router } from '../procedures.ts';

/**
 * What happens, told while it happens (server-sent events). It carries no content: each signal says what to read.
 *
 * The stream never completes, it breaks off: what completes, a browser does not take up again. It breaks off when the
 * program stops, when the line has stood long enough, and when the account has changed; who comes back is judged anew.
 */
export const liveRouter = router({
  events: memberProcedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<LiveEvent> {
    for await (const event of ctx.live.follow(ctx.actor.id, signal)) {
      yield event;
      if (event.kind === 'account') break;
    }
    throw new DOMException('The line breaks off here', 'AbortError');
  }),
});
