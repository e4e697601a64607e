import { z } from 'zod';
import type { Desk } from './desk.ts';
import { missing } from './errors.ts';
import type { Api } from './http.ts';
import { pageOf } from './lists.ts';
import { pageParams, readParams } from './params.ts';

const listParams = z.strictObject({
  type: z.string().optional(),
  types: z.array(z.string()).optional(),
  ...pageParams,
});

/** What has happened, to be read by whoever has missed a webhook. */
export function addEvents(api: Api, { shelves }: Desk): void {
  api.get('/v1/events', async ({ input }) => {
    const { type, types, ...page } = readParams(input, listParams);
    const events = (await shelves.events.list()).filter(
      (event) => (type === undefined || event.type === type) && (types?.includes(event.type) ?? true),
    );
    return pageOf(events, page, '/v1/events');
  });

  api.get('/v1/events/:id', async ({ id }) => {
    const event = await shelves.events.get(id);
    if (event === null) throw missing('event', id);
    return event;
  });
}
