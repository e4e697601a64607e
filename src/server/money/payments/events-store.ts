import type { PaymentProviderName } from '#contract/people/sellers.ts';
import type { Database } from '#server/database/client.ts';
import type { ProviderEvent } from '#server/providers/payments.ts';

export interface StoredEvent {
  readonly provider: PaymentProviderName;
  readonly eventId: string;
  readonly type: string;
  readonly subject: ProviderEvent['subject'];
  readonly attempts: number;
}

/** Stores an event once by the provider's id; ignores repeats. */
export async function insertEvent(
  db: Database,
  given: { provider: PaymentProviderName; event: ProviderEvent; body: string; at: Date },
): Promise<void> {
  const { provider, event, body, at } = given;
  await db
    .insertInto('webhookEvents')
    .values({
      provider,
      eventId: event.id,
      type: event.type,
      payload: Buffer.from(body),
      subject: JSON.stringify(event.subject),
      nextTryAt: at,
      receivedAt: at,
    })
    .onConflict((conflict) => conflict.columns(['provider', 'eventId']).doNothing())
    .execute();
}

/**
 * Takes waiting events, oldest first, by moving their next try, so that no other process takes them.
 * @param only this provider's, or this one, if it waits
 */
export async function takeEvents(
  db: Database,
  given: {
    now: Date;
    until: Date;
    limit: number;
    only: { provider: PaymentProviderName; eventId?: string };
  },
): Promise<StoredEvent[]> {
  const { only } = given;
  return db
    .updateTable('webhookEvents')
    .set(({ eb }) => ({ nextTryAt: given.until, attempts: eb('attempts', '+', 1) }))
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('provider', 'eventId'),
        'in',
        selectFrom('webhookEvents')
          .select(['provider', 'eventId'])
          .where('processedAt', 'is', null)
          .where('nextTryAt', '<=', given.now)
          .where('provider', '=', only.provider)
          .$if(only.eventId !== undefined, (query) => query.where('eventId', '=', only.eventId ?? ''))
          .orderBy('nextTryAt')
          .limit(given.limit)
          .forUpdate()
          .skipLocked()
          .$asTuple('provider', 'eventId'),
      ),
    )
    .returning(['provider', 'eventId', 'type', 'subject', 'attempts'])
    .$narrowType<{ provider: PaymentProviderName; subject: ProviderEvent['subject'] }>()
    .execute();
}

/** Marks an event as done. @param lastError why it was given up, if it was */
export async function finishEvent(
  db: Database,
  { provider, eventId }: Pick<StoredEvent, 'provider' | 'eventId'>,
  at: Date,
  lastError: string | null = null,
): Promise<void> {
  await db
    .updateTable('webhookEvents')
    .set({ processedAt: at, lastError })
    .where('provider', '=', provider)
    .where('eventId', '=', eventId)
    .execute();
}

/** Puts an event off. One that is done stays done: the answer to that may have been lost. */
export async function putOffEvent(
  db: Database,
  { provider, eventId }: Pick<StoredEvent, 'provider' | 'eventId'>,
  until: Date,
  lastError: string,
): Promise<void> {
  await db
    .updateTable('webhookEvents')
    .set({ nextTryAt: until, lastError: lastError.slice(0, 1_000) })
    .where('provider', '=', provider)
    .where('eventId', '=', eventId)
    .where('processedAt', 'is', null)
    .execute();
}

/** Makes an event due now, also one that was given up. */
export async function reopenEvent(
  db: Database,
  { provider, eventId }: Pick<StoredEvent, 'provider' | 'eventId'>,
  at: Date,
): Promise<void> {
  await db
    .updateTable('webhookEvents')
    .set({ nextTryAt: at, processedAt: null })
    .where('provider', '=', provider)
    .where('eventId', '=', eventId)
    .where('lastError', 'is not', null)
    .execute();
}
