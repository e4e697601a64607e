import { type RawBuilder, sql } from 'kysely';
import { COUNT_CAP } from '#contract/base/bounds.ts';
import { partsOf } from '#contract/base/tables.ts';
import {
  type ListPaymentIssuesInput,
  PAYMENT_ISSUE_KINDS,
  type PaymentIssueInput,
  type PaymentIssueKind,
} from '#contract/money/payment-issues.ts';
import type { UserStatus } from '#contract/people/accounts.ts';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import { addDays } from '#server/core/clock.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, type ListOrder, openPage } from '#server/database/paging.ts';
import { notOwnCase } from '#server/people/audit/own-cases-sql.ts';

/** An issue that a person has to decide. */
interface Found {
  readonly kind: PaymentIssueKind;
  readonly ref: string;
  readonly provider: PaymentProviderName;
  readonly what: string;
  readonly since: Date;
  readonly paymentId: number | null;
  /** Where there is no payment. */
  readonly sellerId: number | null;
  readonly amount: string | null;
  readonly attempts: number;
  /** Of a difference: our amount and theirs, such as '12.50 -3.00'. */
  readonly lastError: string | null;
  readonly nextTryAt: Date | null;
  readonly dueAt: Date | null;
}

/** An operation or event that fails for this long, or this often, is an issue, although retries go on. */
const PATIENCE_DAYS = 1;
const PATIENCE_TRIES = 12;

/** The reasons to wait that only a person can end. Others end by themselves, or are separate issues. */
const DECIDED_BY_PEOPLE = sql`('account_restricted', 'seller_banned', 'seller_suspended')`;

function findAll(now: Date): RawBuilder<Found> {
  const fails = (since: string) =>
    sql<boolean>`last_error is not null and (${sql.ref(since)} < ${addDays(now, -PATIENCE_DAYS)} or attempts >= ${PATIENCE_TRIES})`;
  return sql<Found>`(
    select 'operation' as kind, payment_id || '-' || kind as ref, provider, kind as what, opened_at as since, payment_id,
      null::integer as seller_id, amount::text as amount, attempts, last_error, next_try_at, null::timestamptz as due_at
    from provider_operations where done_at is null and kind <> 'review' and (given_up_at is not null
      or (waits_for is null and ${fails('opened_at')}))
    union all
    select 'review', payment_id::text, provider, kind, given_up_at, payment_id, null, null, attempts, last_error, null, null
    from provider_operations where done_at is null and kind = 'review'
    union all
    select 'review', 'deposit-' || id, 'stripe', 'deposit', given_up_at, null, user_id, amount::text, attempts, last_error, null,
      null from deposits where given_up_at is not null and ended_at is null
    union all
    select 'dispute', id::text, provider, 'dispute', coalesce(disputed_at, updated_at), id, null,
      (amount + buyer_fee)::text, 0, null, null, evidence_due_at
    from payment_transactions where is_disputed
    union all
    select 'event', provider || '-' || event_id, provider, type, received_at, null, null, null, attempts, last_error,
      case when processed_at is null then next_try_at end, null
    from webhook_events where last_error is not null and processed_at is not null or ${fails('received_at')}
    union all
    select 'seller', p.receiver_id || '-' || a.provider, a.provider, min(a.waits_for), min(a.opened_at), null,
      p.receiver_id, sum(p.net_amount)::text, 0, null, min(a.next_try_at), null
    from provider_operations a join payment_transactions p on p.id = a.payment_id
    where a.done_at is null and a.kind = 'payout' and a.waits_for in ${DECIDED_BY_PEOPLE}
    group by p.receiver_id, a.provider
    union all
    select 'difference', id::text, provider, kind, found_at, payment_id, null, abs(ours - theirs)::text, 0,
      ours || ' ' || theirs, null, null
    from reconciliation_differences where closed_at is null)`;
}

/** A mark on an issue that has ended and begun again does not count. */
const IS_HANDLED = sql<boolean>`coalesce(mark.handled_at >= issue.since, false)`;
const IS_MAILED = sql<boolean>`coalesce(mark.mailed_at >= issue.since, false)`;

function selectPaymentIssues(db: Database | Trx, now: Date) {
  return db
    .selectFrom(findAll(now).as('issue'))
    .leftJoin('paymentIssues as mark', (join) =>
      join.onRef('mark.kind', '=', 'issue.kind').onRef('mark.ref', '=', 'issue.ref'),
    )
    .leftJoin('paymentTransactions as payment', 'payment.id', 'issue.paymentId');
}

const PARTIES = ['payment.senderId', 'payment.receiverId', 'issue.sellerId'];

function selectFull(db: Database | Trx, now: Date) {
  return selectPaymentIssues(db, now)
    .leftJoin('bids', 'bids.id', 'payment.bidId')
    .leftJoin('coupons', 'coupons.id', 'bids.couponId')
    .leftJoin('users as buyer', 'buyer.id', 'payment.senderId')
    .leftJoin('users as seller', (join) =>
      join.on('seller.id', '=', sql<number>`coalesce(payment.receiver_id, issue.seller_id)`),
    )
    .leftJoin('sellerAccounts as account', (join) =>
      join.onRef('account.userId', '=', 'issue.sellerId').onRef('account.provider', '=', 'issue.provider'),
    )
    .leftJoin('users as handler', 'handler.id', 'mark.handledBy')
    .selectAll('issue')
    .select(['payment.bidId', 'coupons.title as couponTitle', 'account.requirements'])
    .select(['buyer.id as buyerId', 'buyer.username as buyerUsername', 'buyer.status as buyerStatus'])
    .select(['seller.id as sellerUserId', 'seller.username as sellerUsername'])
    .select(['seller.status as sellerStatus'])
    .select([IS_HANDLED.as('isHandled'), 'mark.handledAt', 'handler.username as handledBy'])
    .$narrowType<{
      requirements: string[] | null;
      buyerStatus: UserStatus | null;
      sellerStatus: UserStatus | null;
    }>();
}

export type PaymentIssueRow = NonNullable<Awaited<ReturnType<typeof findPaymentIssue>>>;

export async function findPaymentIssue(db: Database | Trx, { kind, ref }: PaymentIssueInput, now: Date) {
  return selectFull(db, now).where('issue.kind', '=', kind).where('issue.ref', '=', ref).executeTakeFirst();
}

/** Which issues are listed, when, and for which admin. */
type ListedIssues = ListPaymentIssuesInput & { now: Date; judgeId: number };

const BY_TIME: ListOrder['by'] = [
  ['since', 'timestamptz'],
  ['kind', 'text'],
  ['ref', 'text'],
];

/** The issues of sales that are not the admin's own. */
export async function listPaymentIssues(
  db: Database,
  { isHandled, kind, sort = 'since-asc', now, judgeId, ...paging }: ListedIssues,
) {
  const { direction } = partsOf(sort);
  const page = openPage(paging, { name: `paymentIssues ${sort}`, direction, by: BY_TIME }, COUNT_CAP);
  const ofKind = kind === undefined ? [...PAYMENT_ISSUE_KINDS] : [kind];
  const found = selectFull(db, now)
    .where(IS_HANDLED, '=', isHandled)
    .where('issue.kind', 'in', ofKind)
    .where(notOwnCase(judgeId, PARTIES));
  const rows = await page.select(found, 'issue').execute();
  const counted = selectPaymentIssues(db, now)
    .select('issue.ref')
    .where(IS_HANDLED, '=', isHandled)
    .where('issue.kind', 'in', ofKind)
    .where(notOwnCase(judgeId, PARTIES));
  return { ...page.finish(rows), ...(await cappedTotal(db, counted, COUNT_CAP)) };
}

/** How many issues of each kind wait. */
export async function countPaymentIssues(
  db: Database,
  now: Date,
): Promise<{ kind: PaymentIssueKind; count: number }[]> {
  return selectPaymentIssues(db, now)
    .select(['issue.kind', sql<number>`count(*)`.as('count')])
    .where(IS_HANDLED, '=', false)
    .groupBy('issue.kind')
    .execute();
}

/** Marks an issue as handled. @returns false if it is already */
export async function markHandled(
  trx: Trx,
  { kind, ref, since }: PaymentIssueInput & { since: Date },
  by: { handledBy: number; at: Date },
): Promise<boolean> {
  const change = { handledBy: by.handledBy, handledAt: by.at };
  const marked = await trx
    .insertInto('paymentIssues')
    .values({ kind, ref, ...change })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'ref'])
        .doUpdateSet(change)
        .where((where) =>
          where.or([
            where('paymentIssues.handledAt', 'is', null),
            where('paymentIssues.handledAt', '<', since),
          ]),
        ),
    )
    .returning('ref')
    .executeTakeFirst();
  return marked !== undefined;
}

export async function insertNote(
  trx: Trx,
  { kind, ref, authorId, text, at }: PaymentIssueInput & { authorId: number; text: string; at: Date },
): Promise<void> {
  await trx
    .insertInto('paymentIssues')
    .values({ kind, ref })
    .onConflict((conflict) => conflict.columns(['kind', 'ref']).doNothing())
    .execute();
  await trx.insertInto('paymentIssueNotes').values({ kind, ref, authorId, text, createdAt: at }).execute();
}

/** The notes on some issues, oldest first. */
export async function listNotes(db: Database | Trx, issues: readonly PaymentIssueInput[]) {
  if (issues.length === 0) return [];
  return db
    .selectFrom('paymentIssueNotes')
    .innerJoin('users as author', 'author.id', 'paymentIssueNotes.authorId')
    .select([
      'paymentIssueNotes.id',
      'paymentIssueNotes.kind',
      'paymentIssueNotes.ref',
      'paymentIssueNotes.text',
    ])
    .select(['paymentIssueNotes.createdAt', 'author.username as author'])
    .where('paymentIssueNotes.ref', 'in', [...new Set(issues.map(({ ref }) => ref))])
    .orderBy('paymentIssueNotes.id')
    .execute();
}

/** When admins were last told of issues. */
export async function lastMailedAt(trx: Trx): Promise<Date | null> {
  const { at } = await trx
    .selectFrom('paymentIssues')
    .select(({ fn }) => fn.max('mailedAt').as('at'))
    .executeTakeFirstOrThrow();
  return at;
}

/** Marks the issues that nobody has been told of as mailed. @returns the parties of each */
export async function markMailed(trx: Trx, at: Date): Promise<(number | null)[][]> {
  const fresh = await selectPaymentIssues(trx, at)
    .select(['issue.kind', 'issue.ref', 'issue.sellerId', 'payment.senderId', 'payment.receiverId'])
    .where(IS_MAILED, '=', false)
    .where(IS_HANDLED, '=', false)
    .execute();
  if (fresh.length === 0) return [];
  await trx
    .insertInto('paymentIssues')
    .values(fresh.map(({ kind, ref }) => ({ kind, ref, mailedAt: at })))
    .onConflict((conflict) => conflict.columns(['kind', 'ref']).doUpdateSet({ mailedAt: at }))
    .execute();
  return fresh.map(({ sellerId, senderId, receiverId }) => [sellerId, senderId, receiverId]);
}

/** The admins who can sign in. */
export async function listAdmins(trx: Trx): Promise<number[]> {
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('status', 'in', ['active', 'warned'])
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}
