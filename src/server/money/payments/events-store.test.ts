import { expect, it } from 'vitest';
import { addHours } from '#server/core/clock.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import * as events from './events-store.ts';

const database = setUpDatabase();

it('an event that is done stays done when the answer to that was lost, and no operator is told of it', async () => {
  const at = new Date('2035-03-01T12:00:00Z');
  const event = { id: 'evt_1', type: 'charge.refunded', subject: { kind: 'other' } } as const;
  await events.insertEvent(database.db, { provider: 'stripe', event, body: '{}', at });
  const about = { provider: 'stripe', eventId: event.id } as const;
  await events.finishEvent(database.db, about, at);
  await events.putOffEvent(database.db, about, addHours(at, 1), 'The line to the database broke');
  const stored = await database.db
    .selectFrom('webhookEvents')
    .select(['processedAt', 'lastError'])
    .executeTakeFirstOrThrow();
  expect(stored).toEqual({ processedAt: at, lastError: null });
});
