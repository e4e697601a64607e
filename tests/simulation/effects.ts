import { sql } from 'kysely';
import { HOLD_HOURS } from '#contract/money/payments.ts';
import { openStored as openPaypal } from '#sandbox/paypal/objects.ts';
import { openStored as openStripe } from '#sandbox/stripe/objects.ts';
import type { Broken } from './checks.ts';
import type { World } from './world.ts';

/** What was said to be done was done, and at once where nothing failed: promises about single effects. */

const show = (rule: string, rows: readonly unknown[]): Broken[] =>
  rows.length === 0 ? [] : [`${rule}: ${JSON.stringify(rows.slice(0, 3))}`];

/** What counts as done has been done. */
export async function checkDone({ direct, mails }: World): Promise<Broken[]> {
  const { rows: sent } = await sql<{ id: number }>`
    select id from mail_outbox where sent_at is not null`.execute(direct.db);
  const arrived = new Set(mails.map(({ messageId }) => Number(/^<mail-(\d+)-/.exec(messageId)?.[1])));
  const swallowed = await sql`
    select provider, event_id, last_error from webhook_events
    where processed_at is not null and last_error <> 'It is about nothing of ours'`.execute(direct.db);
  return [
    ...show(
      'a mail counts as sent that has not arrived',
      sent.filter(({ id }) => !arrived.has(id)),
    ),
    ...show('an event counts as done that failed', swallowed.rows),
  ];
}

/** Buyers have the time that they were promised, and the reserve gets its share of each final sale. */
export async function checkHeld({ direct }: World): Promise<Broken[]> {
  const short = await sql`
    select id, paid_at, hold_until from payment_transactions p
    where disputed_at is null and hold_until < paid_at + make_interval(hours => ${HOLD_HOURS}) - interval '1 minute'`.execute(
    direct.db,
  );
  const bare = await sql`
    select id, platform_fee, reserve_percent from payment_transactions p
    where status = 'completed' and disputed_at is null and platform_fee * reserve_percent >= 2
      and not exists (select from ledger_journals j where j.payment_id = p.id
        and j.kind in ('reserve', 'refund', 'withdrawal', 'loss', 'offset', 'award'))`.execute(direct.db);
  return [
    ...show('a hold is shorter than promised', short.rows),
    ...show('a final sale has given nothing to the reserve', bare.rows),
  ];
}

/** What a provider has answered is known at once. Only in a moment in which nothing failed. */
export async function checkAnswers({ direct }: World): Promise<Broken[]> {
  const unread = await sql`
    select payment_id, kind, amount, attempts from provider_operations
    where kind = 'payout' and provider = 'stripe' and done_at is null and given_up_at is null and waits_for is null
      and attempts > 0 and amount is not null and last_error is null`.execute(direct.db);
  return show('a payout was made and is not known', unread.rows);
}

/**
 * A provider was asked once for each payment, by however many at once. Only while nothing has failed: where an answer was lost,
 * a second payment may be created, which nobody can pay (reports.ts).
 */
export async function checkCreated({ store, scheduler }: World): Promise<Broken[]> {
  if (scheduler.faults() > 0) return [];
  const intents = await openStripe(store).paymentIntents.list();
  const orders = await openPaypal(store).orders.list();
  const ours = [
    ...intents.map(({ metadata }) => metadata.payment_id),
    ...orders.map(({ customId }) => customId),
  ];
  const twice = ours.filter((id, at) => id != null && ours.indexOf(id) !== at);
  return show('a payment was created twice at its provider', twice);
}
