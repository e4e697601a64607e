import { sql } from 'kysely';
import { DEADLINE_DAYS } from '#contract/deals.ts';
import { PAYMENT_PROVIDERS, type PaymentProviderName } from '#contract/sellers.ts';
import { addDays } from '#server/core/clock.ts';
import { checkLedger } from '#server/domains/books/service.ts';
import { codeContext } from '#server/domains/coupons/view.ts';
import { checkInvariants } from '#server/testing/invariants.ts';
import { readPaypal, readStripe } from '../faults/provider-books.ts';
import type { World } from './world.ts';

/** A promise that the market has broken, for people. */
export type Broken = string;

const show = (rule: string, rows: readonly unknown[]): Broken[] =>
  rows.length === 0 ? [] : [`${rule}: ${JSON.stringify(rows.slice(0, 3))}`];

/** A rule for mail that nobody has sent yet: what is sent is forgotten, and what nobody is to get is removed. */
const OF_UNSENT_MAIL = 'every notification has its mail';

/** What holds whenever nobody is in the middle of something. */
export async function checkRules({ direct }: World): Promise<Broken[]> {
  const books = await checkLedger(direct);
  const rules = (await checkInvariants(direct.db)).filter(({ rule }) => !rule.startsWith(OF_UNSENT_MAIL));
  return [...show('the books', books.broken), ...rules.flatMap(({ rule, rows }) => show(rule, rows))];
}

/** Nobody but its past and present owners has been told a code, and no log or mail has one. */
export async function checkCodes({ direct, people, told, mails, logged }: World): Promise<Broken[]> {
  const { rows } = await sql<{ id: number; owners: number[] }>`
    select c.id, array(
      select c.owner_id union select from_user_id from coupon_transfers where coupon_id = c.id
      union select to_user_id from coupon_transfers where coupon_id = c.id) as owners
    from coupons c`.execute(direct.db);
  const secrets = await direct.db.selectFrom('couponSecrets').select(['couponId', 'code']).execute();
  const ownersOf = new Map(rows.map(({ id, owners }) => [id, owners]));
  const codes = new Map(
    secrets.map(({ couponId, code }) => [
      direct.vault.open(code, codeContext(couponId)),
      ownersOf.get(couponId) ?? [],
    ]),
  );
  const found: Broken[] = [];
  const search = (text: string, mayKnow: (owners: readonly number[]) => boolean, where: string) => {
    for (const [code] of text.matchAll(/SIM-\w+-Q7X/g)) {
      if (!mayKnow(codes.get(code) ?? []))
        found.push(`${where} shows the code ${code}: ${text.slice(0, 200)}`);
    }
  };
  for (const { who, text } of told) {
    const id = who === null ? undefined : people[who]?.id;
    search(text, (owners) => id !== undefined && owners.includes(id), `an answer to person ${who}`);
  }
  for (const { text } of mails) search(text, () => false, 'a mail');
  for (const line of logged) search(line, () => false, 'the log');
  return found;
}

/** Whoever was never banned gets a mail of each notification. */
export async function checkMails({ direct }: World): Promise<Broken[]> {
  const lacking = await sql`
    select n.id from notifications n
    where not exists (select from mail_outbox m where m.notification_id = n.id)
      and not exists (select from clock_stops s where s.user_id = n.user_id)`.execute(direct.db);
  return show('a notification has no mail', lacking.rows);
}

/** A job may be late here, as it runs once a day. */
const LATE_DAYS = 1.5;

/** No deadline has passed without its end. */
export async function checkDeadlines({ direct }: World): Promise<Broken[]> {
  const now = direct.clock();
  const before = (days: number) => addDays(now, -days - LATE_DAYS);
  const late = await sql`
    select 'bid' as kind, id, status from bids where exchange_id is null and status = 'pending'
      and coalesce(answer_by, created_at + make_interval(days => ${DEADLINE_DAYS.bidPending})) < ${before(0)}
    union all select 'bid', id, status from bids where exchange_id is null and status = 'accepted'
      and accepted_at < ${before(DEADLINE_DAYS.bidAccepted)} and not exists (
        select from payment_transactions p where p.bid_id = bids.id and p.status = 'processing')
    union all select 'exchange', id, status from exchanges where status = 'pending'
      and coalesce(consent_by, created_at + make_interval(days => ${DEADLINE_DAYS.exchangePending})) < ${before(0)}
    union all select 'exchange', id, status from exchanges e where status = 'accepted'
      and accepted_at < ${before(DEADLINE_DAYS.exchangeAccepted)} and not exists (
        select from bids b join payment_transactions p on p.bid_id = b.id where b.exchange_id = e.id and p.status = 'processing')
    union all select 'hold', id, status from payment_transactions p where status = 'held' and hold_until < ${before(0)}
      and not exists (select from claims c where c.bid_id = p.bid_id and c.status = 'open')
      and not exists (select from clock_stops s where s.user_id = p.sender_id and s.clear_at > ${before(0)})`.execute(
    direct.db,
  );
  return show('a deadline has passed', late.rows);
}

async function clearingOf({ direct }: World, provider: PaymentProviderName): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select (coalesce(sum(e.amount), 0) * 100)::int as cents from ledger_entries e
    join ledger_accounts a on a.id = e.account_id
    where a.kind = 'provider_clearing' and a.provider = ${provider}`.execute(direct.db);
  return rows[0]?.cents ?? 0;
}

/** The sums in our books are those at the providers: once nothing is under way. */
async function checkProviders(world: World): Promise<Broken[]> {
  const found: Broken[] = [];
  const books = { stripe: await readStripe(world.store), paypal: await readPaypal(world.store) };
  for (const provider of PAYMENT_PROVIDERS) {
    const [ours, theirs] = [await clearingOf(world, provider), books[provider].balance];
    if (ours !== theirs) found.push(`the books have ${ours} cents at ${provider}, and it has ${theirs}`);
    const charges = books[provider].movements.filter(({ kind }) => kind === 'charge');
    const twice = charges.filter(
      ({ publicId }, at) => charges.findIndex((one) => one.publicId === publicId) !== at,
    );
    found.push(...show(`${provider} has charged twice`, twice));
  }
  return found;
}

/** Long after the last act: every deal has ended, every payment is settled, every mail has gone, and no coupon is held. */
export async function checkEnd(world: World): Promise<Broken[]> {
  const { direct, mails } = world;
  const open = await sql`
    select 'bid' as kind, id, status from bids where status in ('pending', 'accepted')
    union all select 'exchange', id, status from exchanges where status in ('pending', 'accepted')
    union all select 'payment', id, status from payment_transactions
      where status in ('created', 'open', 'processing', 'held', 'releasing', 'refunding')
    union all select 'reservation', coupon_id, '' from coupon_reservations`.execute(direct.db);
  const unsent = await sql`
    select id, kind, attempts, last_error from mail_outbox where sent_at is null`.execute(direct.db);
  const known = mails.filter(({ isKnown }) => isKnown).map(({ messageId }) => messageId);
  const twice = known.filter((id, at) => known.indexOf(id) !== at);
  return [
    ...show('somebody is stuck', open.rows),
    ...show('a mail was never sent', unsent.rows),
    ...show('a mail was sent twice without need', twice),
    ...(await checkProviders(world)),
  ];
}
