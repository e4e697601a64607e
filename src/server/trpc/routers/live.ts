import { memberProcedure, router } from '../procedures.ts';

/** Live events. They carry no content: each one names what to read again. */
export const liveRouter = router({
  events: memberProcedure.subscription(({ ctx }) => ctx.live.follow({ userId: ctx.actor.id, ip: ctx.ip })),
});
