import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/trpc/context.ts';
import { callerWithoutSession } from './caller.ts';

/** Serves people's calendars at their private addresses. */
export function registerCalendar(app: FastifyInstance, deps: AppDeps): void {
  app.get<{ Params: { token: string } }>(
    '/calendar/:token.ics',
    { schema: { hide: true } },
    async (request, reply) => {
      const caller = await callerWithoutSession(deps, request, reply);
      const calendar = await caller.calendar.feed(request.params);
      return reply
        .type('text/calendar; charset=utf-8')
        .header('cache-control', 'private, no-cache')
        .send(calendar);
    },
  );
}
