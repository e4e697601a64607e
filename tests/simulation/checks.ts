import { sql } from 'kysely';
import { decimalToCents } from '#contract/base/money.ts';
import { DEADLINE_DAYS } from '#contract/deals/deals.ts';
import { CLAIM_DAYS } from '#contract/money/claims.ts';
import { DEPOSIT_LAPSE_DAYS } from '#contract/money/deposits.ts';
import { PAYMENT_PROVIDERS, type PaymentProviderName } from '#contract/people/sellers.ts';
import { addDays } from '#server/core/clock.ts';
import { codeContext } from '#server/coupons/core/view.ts';
import { checkLedger } from '#server/money/books/ledger.ts';
import { compareBooks } from '#server/money/comparison/service.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { readPaypal, readStripe } from '../faults/provider-books.ts';
import type { World } from './world.ts';

/** A promise that the market has broken, for people. */
export type Broken = string;

const show = (rule: string, rows: readonly unknown[]): Broken[] =>
  rows.length === 0 ? [] : [`${rule}: ${JSON.stringify(rows.slice(0, 3))}`];

/** Two clocks may differ by so much. */
const SKEW = sql`interval '10 seconds'`;

/** A rule for mail that nobody has sent yet: what is sent is forgotten, and what nobody is to get is removed. */
const OF_UNSENT_MAIL = 'every notification has its mail';

/** Where the effects of a ban or of its end were interrupted, a job goes on with them. */
const OF_BANS = /^(nobody banned or|only a ban,) /;

/**
 * What holds whenever nobody is in the middle of something.
 * @param areJobsDone whether jobs have finished what was interrupted
 */
export async function checkRules({ direct, deadlocks }: World, areJobsDone: boolean): Promise<Broken[]> {
  const rules = (await checkInvariants(direct.db)).filter(
    ({ rule }) => !rule.startsWith(OF_UNSENT_MAIL) && (areJobsDone || !OF_BANS.test(rule)),
  );
  return [
    // Those that a retry has solved are faults, too.
    ...show('a deadlock', deadlocks),
    ...rules.flatMap(({ rule, rows }) => show(rule, rows)),
  ];
}

/** Journals balance, payments and the ledger agree, and nothing is orphaned. */
export async function checkBooks({ direct }: World): Promise<Broken[]> {
  return show('the books', (await checkLedger(direct)).broken);
}

/** Whoever accepts a bid is asked by it: in turn the seller and the bidder, or the price that the seller has set. */
export async function checkWhoMay({ direct }: World): Promise<Broken[]> {
  const wrong = await sql`
    select b.id, b.round, b.amount, l.actor_id from bids b
    join transaction_logs l on l.bid_id = b.id and l.action = 'accepted'
    join coupons c on c.id = b.coupon_id
    where b.exchange_id is null and case
      when l.actor_id is not null then l.actor_id <> case b.round % 2 when 1 then b.owner_id else b.bidder_id end
      -- What it asked when it accepted is known for as long as nobody changes it.
      else c.updated_at <= b.accepted_at and b.amount < c.asking_price end`.execute(direct.db);
  const expired = await sql`
    select 'bid' as kind, b.id from bids b join coupons c on c.id = b.coupon_id where b.accepted_at > c.expires_at + ${SKEW}
    union all select 'exchange', e.id from exchanges e join exchange_legs l on l.exchange_id = e.id
      join coupons c on c.id = l.coupon_id where e.accepted_at > c.expires_at + ${SKEW}`.execute(direct.db);
  const blocked = await sql`
    select deal.*, k.blocker_id from user_blocks k join (
      select 'bid' as kind, id, created_at, bidder_id as one_id, owner_id as other_id from bids where exchange_id is null
      union all select 'exchange', e.id, e.created_at, one.user_id, other.user_id from exchanges e
        join exchange_parties one on one.exchange_id = e.id
        join exchange_parties other on other.exchange_id = e.id) as deal
    on (k.blocker_id, k.blocked_id) in ((one_id, other_id), (other_id, one_id))
      and deal.created_at > k.created_at + ${SKEW}`.execute(direct.db);
  const claimed = await sql`
    select c.id, c.status, p.status as payment from claims c join payment_transactions p on p.bid_id = c.bid_id
    -- Of a payment that a bank disputes, a decision ends the hold alone; it is paid out after the dispute.
    where not c.is_late and not (c.status = 'released' and p.status = 'held' and p.hold_until = c.decided_at)
      and (c.status, p.status) in (('open', 'releasing'), ('open', 'completed'), ('released', 'held'),
      ('refunded', 'held'), ('refunded', 'releasing'), ('refunded', 'completed'))`.execute(direct.db);
  return [
    ...show('a deal begins in spite of a block', blocked.rows),
    ...show('the money of a sale does not follow its claim', claimed.rows),
    ...show('a bid is accepted by somebody who may not', wrong.rows),
    ...show('a coupon that has expired is traded', expired.rows),
  ];
}

/** Only past and present owners have been told a code, and that is recorded; no log or mail has one. */
export async function checkCodes({ direct, people, codes, told, mails, logged }: World): Promise<Broken[]> {
  const { rows } = await sql<{ id: number; owners: number[] }>`
    select c.id, array(
      select user_id from coupon_reveals where coupon_id = c.id
      intersect (select c.owner_id union select from_user_id from coupon_transfers where coupon_id = c.id
        union select to_user_id from coupon_transfers where coupon_id = c.id)) as owners
    from coupons c`.execute(direct.db);
  const secrets = await direct.db.selectFrom('couponSecrets').select(['couponId', 'code']).execute();
  const ownersOf = new Map(rows.map(({ id, owners }) => [id, owners]));
  for (const { couponId, code } of secrets) {
    const text = direct.vault.open(code, codeContext(couponId));
    codes.set(text, (codes.get(text) ?? new Set()).add(couponId));
  }
  const found: Broken[] = [];
  const search = (text: string, mayKnow: (code: string) => boolean, where: string) => {
    for (const [code] of text.matchAll(/SIM-\w+-Q7X/g)) {
      if (!mayKnow(code)) found.push(`${where} shows the code ${code}: ${text.slice(0, 200)}`);
    }
  };
  for (const { who, text } of told) {
    const id = who === null ? undefined : people[who]?.id;
    // Whose code it was is not known of one that was listed and erased within a day.
    const mayKnow = (code: string) => {
      const owners = [...(codes.get(code) ?? [])].map((coupon) => ownersOf.get(coupon));
      return owners.length === 0 || owners.some((some) => some?.includes(id ?? 0) ?? true);
    };
    search(text, mayKnow, `an answer to person ${who}`);
  }
  for (const { text } of mails) search(text, () => false, 'a mail');
  for (const line of logged) search(line, () => false, 'the log');
  return found;
}

/** Whoever was never banned, and has not left, gets a mail of each notification; those about wishes come together. */
export async function checkMails({ direct }: World): Promise<Broken[]> {
  const lacking = await sql`
    select n.id from notifications n
    where not exists (select from mail_outbox m where m.notification_id = n.id)
      and n.type <> 'want'
      and exists (select from users u where u.id = n.user_id and u.deleted_at is null)
      and not exists (select from clock_stops s where s.user_id = n.user_id)`.execute(direct.db);
  return show('a notification has no mail', lacking.rows);
}

/** What the simulated faults are to a program. */
const EXPECTED = ['unavailable', 'outcome_unknown', 'payments_unavailable'];

/** What an operator is told when money has moved at a provider without us; `checkProviders` asks whether we have followed. */
const OUTSIDE = /^our books differ from the provider/;

/** No program has logged an error but those that the simulation makes. */
export function checkLog({ logged }: World): Broken[] {
  const errors = logged.flatMap((line) => {
    const { level, msg, err } = JSON.parse(line) as LogLine;
    const isExpected = EXPECTED.includes(err?.code ?? '') || /^Provider|^Mail/.test(err?.type ?? '');
    return level < 50 || isExpected || OUTSIDE.test(msg) ? [] : [`${msg} ${err?.message ?? ''}`];
  });
  return show('an error is logged', errors);
}

interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly err?: { readonly type: string; readonly code?: string; readonly message: string };
}

/** A job may be late here: it runs once a day, and again at the next moment, up to a day later, where it has broken off. */
const LATE_DAYS = 2.5;

/** No deadline has passed without its end. */
export async function checkDeadlines({ direct }: World): Promise<Broken[]> {
  const now = direct.clock();
  const before = (days: number) => addDays(now, -days - LATE_DAYS);
  const late = await sql`
    select 'bid' as kind, id, status from bids where exchange_id is null and status = 'pending'
      and coalesce(answer_by, created_at + make_interval(days => ${DEADLINE_DAYS.bidPending})) < ${before(0)}
    union all select 'bid', id, status from bids where exchange_id is null and status = 'accepted'
      and (accepted_at < ${before(DEADLINE_DAYS.bidAccepted)} or begin_by < ${before(0)}) and not exists (
        select from payment_transactions p where p.bid_id = bids.id and p.status = 'processing')
    union all select 'exchange', id, status from exchanges where status = 'pending'
      and coalesce(consent_by, created_at + make_interval(days => ${DEADLINE_DAYS.exchangePending})) < ${before(0)}
    union all select 'exchange', id, status from exchanges e where status = 'accepted'
      and accepted_at < ${before(DEADLINE_DAYS.exchangeAccepted)} and not exists (
        select from bids b join payment_transactions p on p.bid_id = b.id where b.exchange_id = e.id and p.status = 'processing')
    union all select 'deposit', id, status from deposits where status = 'authorised'
      and authorised_at < ${before(DEPOSIT_LAPSE_DAYS)}
    union all select 'hold', id, status from payment_transactions p where status = 'held' and hold_until < ${before(0)}
      and not exists (select from claims c where c.bid_id = p.bid_id and c.status = 'open')
      and not exists (select from clock_stops s where s.user_id = p.sender_id and s.clear_at > ${before(0)})
    union all select 'claim', id, status from claims c where status = 'open'
      and case when default_at is null then told_admins_at is null and created_at < ${before(CLAIM_DAYS.default)}
        else appealed_at is null and default_at < ${before(0)} end
      and not exists (select from clock_stops s where s.user_id = c.giver_id and s.clear_at > ${before(0)})
      and not exists (select from payment_transactions p where p.bid_id = c.paid_bid_id and p.is_disputed)`.execute(
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

/**
 * PayPal payments that went back to the buyer while our books knew of no payout. PayPal may have paid the seller; then it took
 * the money back from there, and nothing is left to book.
 */
async function undoneWithoutPayout({ direct }: World): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ publicId: string }>`
    select public_id from payment_transactions p
    where provider = 'paypal' and status in ('refunding', 'refunded', 'charged_back')
      and not exists (select from ledger_journals j where j.payment_id = p.id and j.kind = 'payout')`.execute(
    direct.db,
  );
  return new Set(rows.map(({ publicId }) => publicId));
}

/** The sums in our books are those at the providers, without what is not ours: once nothing is under way. */
async function checkProviders(world: World): Promise<Broken[]> {
  const found: Broken[] = [];
  const books = { stripe: await readStripe(world.store), paypal: await readPaypal(world.store) };
  const undone = await undoneWithoutPayout(world);
  const unheardOf = books.paypal.movements
    .filter(({ kind, publicId }) => kind === 'payout' && undone.has(publicId))
    .reduce((sum, { amount }) => sum + amount, 0);
  const period = { from: addDays(world.start, -1), to: addDays(world.clock(), 1) };
  for (const provider of PAYMENT_PROVIDERS) {
    const compared = await compareBooks(world.program(), provider, period);
    found.push(...show(`${provider} says otherwise`, compared?.differences ?? []));
    const ours = await clearingOf(world, provider);
    const theirs = books[provider].balance + (provider === 'paypal' ? unheardOf : 0);
    if (ours !== theirs) found.push(`the books have ${ours} cents at ${provider}, and it has ${theirs}`);
  }
  return [...found, ...(await checkMovements(world, [...books.stripe.movements, ...books.paypal.movements]))];
}

type Movements = Awaited<ReturnType<typeof readStripe>>['movements'];

/** Nobody has paid twice, and nobody has got more than is theirs, or what is another one's. */
async function checkMovements({ direct }: World, movements: Movements): Promise<Broken[]> {
  const payments = await direct.db
    .selectFrom('paymentTransactions')
    .select(['publicId', 'amount', 'buyerFee', 'netAmount', 'receiverAccount'])
    .execute();
  const wrong = payments.flatMap(({ publicId, amount, buyerFee, netAmount, receiverAccount }) => {
    const own = movements.filter((movement) => movement.publicId === publicId);
    const sumOf = (kind: string) =>
      own.filter((movement) => movement.kind === kind).reduce((sum, one) => sum + one.amount, 0);
    const total = decimalToCents(amount) + decimalToCents(buyerFee);
    const isRight =
      own.filter(({ kind }) => kind === 'charge').length <= 1 &&
      sumOf('refund') <= total &&
      sumOf('payout') - sumOf('reversal') <= decimalToCents(netAmount) &&
      own.every(({ receiver }) => receiver === null || receiver === receiverAccount);
    return isRight ? [] : [{ publicId, total, netAmount, own }];
  });
  const { rows: kept } = await sql`
    select bid_id from payment_transactions where status in ('held', 'releasing', 'completed')
    group by bid_id having count(*) > 1`.execute(direct.db);
  return [...show('money has moved wrongly', wrong), ...show('a sale is paid twice', kept)];
}

/** Long after the last act: every deal has ended, every payment is settled, every mail has gone, and no coupon is held. */
export async function checkEnd(world: World): Promise<Broken[]> {
  const { direct, mails } = world;
  // Of a payment that an operation waits for, or is given up for, a person has been told.
  const open = await sql`
    select 'bid' as kind, id, status from bids where status in ('pending', 'accepted')
    union all select 'exchange', id, status from exchanges where status in ('pending', 'accepted')
    union all select 'payment', id, status from payment_transactions p
      where status in ('created', 'open', 'processing', 'held', 'releasing', 'refunding') and not exists (
        select from provider_operations o
        where o.payment_id = p.id and (o.given_up_at is not null or o.waits_for is not null))
    union all select 'deposit', id, status from deposits
      where ended_at is null and given_up_at is null and waits_for is null
    union all select 'reservation', coupon_id, '' from coupon_reservations`.execute(direct.db);
  const unsent = await sql`
    select id, kind, attempts, last_error from mail_outbox where sent_at is null`.execute(direct.db);
  const owed = await sql`
    select p.id, p.status, -sum(e.amount) as owed from payment_transactions p
    join ledger_journals j on j.payment_id = p.id join ledger_entries e on e.journal_id = j.id
    join ledger_accounts a on a.id = e.account_id and a.kind = 'seller_payable'
    where not exists (select from provider_operations o where o.payment_id = p.id and o.done_at is null)
    group by p.id, p.status having sum(e.amount) < 0`.execute(direct.db);
  // What a person is asked was never tried.
  const hasty = await sql`
    select payment_id, kind, attempts, last_error from provider_operations
    where given_up_at < opened_at + interval '6 days' and kind <> 'review'
      and last_error not like 'Refunds of % did not reach the buyer'`.execute(direct.db);
  const known = mails.filter(({ isKnown }) => isKnown).map(({ messageId }) => messageId);
  const twice = known.filter((id, at) => known.indexOf(id) !== at);
  return [
    ...show('somebody is stuck', open.rows),
    ...show('a seller waits for money in vain', owed.rows),
    ...show('an operation was given up too soon', hasty.rows),
    ...show('a mail was never sent', unsent.rows),
    ...show('a mail was sent twice without need', twice),
    ...(await checkProviders(world)),
  ];
}
