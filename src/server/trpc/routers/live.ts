import type { LiveEvent } from '#contract/live.ts';
import { memberProcedure, router } from '../procedures.ts';

/**
 * Live events, as server-sent events. They carry no content: each one names what to read again.
 *
 * The stream never completes but breaks off, because a browser does not reconnect to a completed one. It
 * breaks off when the program stops, when it has been open for its longest time, and when the account has
 * changed; reconnecting checks the session again.
 */
export const liveRouter = router({
  events: memberProcedure.subscription(({ ctx, signal }) =>
    breakOff(ctx.live.follow({ userId: ctx.actor.id, ip: ctx.ip }, signal)),
  ),
});

async function* breakOff(events: AsyncIterable<LiveEvent>): AsyncGenerator<LiveEvent> {
  for await (const event of events) {
    yield event;
    if (event.kind === 'account') break;
  }
  throw new DOMException('The stream ends here', 'AbortError');
}
