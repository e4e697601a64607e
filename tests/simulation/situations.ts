import { sql } from 'kysely';
import type { World } from './world.ts';

/**
 * Situations that the seeds have to get into, each with a way to see it: in rows that stay, or in a line of the history.
 * `npm run simulate -- --situations` counts in how many seeds each has come up.
 */

/** Each of some words makes a situation: `what` is its name, `rows` how it is seen. */
const each = (
  words: readonly string[],
  what: (word: string) => string,
  rows: (word: string) => string,
): Readonly<Record<string, string>> => Object.fromEntries(words.map((word) => [what(word), rows(word)]));

const NAMES: Readonly<Record<string, string>> = {
  by_bidder: 'because its bidder withdrew',
  by_requester: 'because its author withdrew',
  by_party: 'because somebody in the ring did not want it',
  by_owner: 'because the owner said no',
  countered: 'because another one answered it',
  rival_accepted: 'because another one was accepted',
  rival_completed: 'because its coupon was traded elsewhere',
  exchange_ended: 'because its exchange ended',
  coupon_deleted: 'because its coupon was deleted',
  coupon_changed: 'because its coupon was changed',
  coupon_expired: 'because its coupon expired',
  deadline: 'because its time was up',
  party_banned: 'because somebody was banned',
  party_left: 'because somebody left',
};
const because = (reason: string) => NAMES[reason] ?? reason;
const SHARED = [
  ...['by_owner', 'rival_completed', 'coupon_deleted', 'coupon_changed', 'coupon_expired', 'deadline'],
  ...['party_banned', 'party_left'],
];
const PROVIDERS = ['stripe', 'paypal'];

const prices = 'select count(*) from exchange_legs l where l.exchange_id = e.id and l.price is not null';
const paidPrice = 'exists (select from bids b where b.exchange_id = e.id and b.price_paid_at is not null)';

/** What follows `select count(*) from`. */
const STORED: Readonly<Record<string, string>> = {
  ...each(
    ['by_bidder', 'rival_accepted', 'exchange_ended', ...SHARED],
    (reason) => `a bid ended ${because(reason)}`,
    (reason) => `bids where reason = '${reason}'`,
  ),
  ...each(
    ['by_requester', 'countered', ...SHARED],
    (reason) => `a swap ended ${because(reason)}`,
    (reason) => `exchanges where kind = 'swap' and reason = '${reason}'`,
  ),
  ...each(
    ['by_requester', 'by_party', 'rival_completed', 'coupon_deleted', 'deadline', 'party_banned'],
    (reason) => `a ring ended ${because(reason)}`,
    (reason) => `exchanges where kind = 'ring' and reason = '${reason}'`,
  ),
  ...each(
    ['held', 'completed', 'refunded', 'charged_back', 'cancelled'],
    (status) => `a payment by Stripe was ${status.replace('_', ' ')}`,
    (status) => `payment_transactions where provider = 'stripe' and status = '${status}'`,
  ),
  ...each(
    ['held', 'completed', 'refunded', 'charged_back', 'cancelled'],
    (status) => `a payment by PayPal was ${status.replace('_', ' ')}`,
    (status) => `payment_transactions where provider = 'paypal' and status = '${status}'`,
  ),
  ...each(
    ['dispute', 'refund', 'seller_banned', 'account_restricted'],
    (reason) => `an operation waited: ${reason.replace('_', ' ')}`,
    (reason) => `provider_operations where waits_for = '${reason}'`,
  ),
  ...each(
    ['refund', 'withdrawal', 'loss', 'payout', 'payout_reversal', 'reserve', 'award'],
    (kind) => `the books have a journal: ${kind.replace('_', ' ')}`,
    (kind) => `ledger_journals where kind = '${kind}'`,
  ),
  ...each(
    ['refunded', 'released', 'withdrawn'],
    (status) => `a claim about a sale was ${status}`,
    (status) => `claims where bid_id is not null and status = '${status}'`,
  ),
  ...each(
    ['upheld', 'refused'],
    (status) => `a claim about a swap was ${status}`,
    (status) => `claims where exchange_id is not null and status = '${status}'`,
  ),
  ...each(
    ['claimant', 'giver'],
    (side) => `a claim ended by itself for its ${side}`,
    (side) => `claims where is_default and default_for = '${side}'`,
  ),
  ...each(
    ['redeemed_before', 'redeemed_after', 'unclear', 'refused'],
    (finding) => `a merchant told of a claimed code: ${finding.replace('_', ' ')}`,
    (finding) => `claims where finding = '${finding}'`,
  ),
  'a claim ended by what its merchant told':
    'claims where is_default and finding_for is not null and contested_at is null',
  'a moderator was asked in spite of what a merchant told': 'claims where contested_at is not null',
  'an admin was asked before a claim ended by itself': 'claims where appealed_at is not null',
  ...each(
    PROVIDERS,
    (provider) => `a claim and a dispute are about one payment by ${provider}`,
    (provider) => `claims c join payment_transactions p on p.bid_id = c.bid_id and p.disputed_at is not null
      where p.provider = '${provider}'`,
  ),
  ...each(
    PROVIDERS,
    (provider) => `an operation at ${provider} was tried again`,
    (provider) => `provider_operations where provider = '${provider}' and attempts > 1`,
  ),
  'a bid was accepted after a counter-offer': 'bids where round > 1 and accepted_at is not null',
  'a bid went through three rounds': 'bids where round > 2',
  'a bid was accepted at once, at the price that its seller asks':
    "bids b join transaction_logs l on l.bid_id = b.id and l.action = 'accepted' where l.actor_id is null and b.exchange_id is null",
  'a bid was accepted and never paid':
    "bids where reason = 'deadline' and accepted_at is not null and exchange_id is null",
  'a swap of two was completed': "exchanges where kind = 'swap' and status = 'completed'",
  'a ring was completed': "exchanges where kind = 'ring' and status = 'completed'",
  'a counter-offer was accepted': 'exchanges where round > 1 and accepted_at is not null',
  'a swap with a price was completed': `exchanges e where kind = 'swap' and status = 'completed' and (${prices}) > 0`,
  'a swap with a price was cancelled after it was paid': `exchanges e where kind = 'swap' and status = 'cancelled' and ${paidPrice}`,
  'a ring with a price was accepted': `exchanges e where kind = 'ring' and accepted_at is not null and (${prices}) > 0`,
  'a ring with two prices was accepted': `exchanges e where kind = 'ring' and accepted_at is not null and (${prices}) > 1`,
  'a ring with two prices was cancelled after the first payment': `exchanges e where kind = 'ring' and status = 'cancelled' and (${prices}) > 1
    and ${paidPrice}`,
  'a swap of several coupons was accepted':
    'exchanges e where accepted_at is not null and (select count(*) from exchange_legs l where l.exchange_id = e.id) > 2',
  'a coupon went through three hands': `(select coupon_id from coupon_transfers where not is_return group by coupon_id
    having count(*) > 1) as many`,
  'a coupon went back to its seller': 'coupon_transfers where is_return',
  'a buyer sold what they had bought': `coupon_transfers one join coupon_transfers other on other.coupon_id = one.coupon_id
    and other.id > one.id and other.from_user_id = one.to_user_id where one.bid_id is not null and other.bid_id is not null`,
  'a claim was made under the guarantee': 'claims where is_late',
  'a claim was answered': 'claims where answered_at is not null',
  'a claim was made about what a buyer had looked at': `claims c join bids b on b.id = c.bid_id
    join coupon_reveals r on r.coupon_id = b.coupon_id and r.user_id = c.claimant_id`,
  'a claim about a paid coupon of a swap was upheld':
    "claims where paid_bid_id is not null and status = 'upheld'",
  'a sale was paid for a second time after the first payment was given up': `(select bid_id from payment_transactions
    group by bid_id having count(*) > 1) as twice`,
  'money came too late and went back': `payment_transactions p join bids b on b.id = p.bid_id
    where b.status = 'cancelled' and p.status in ('refunding', 'refunded')`,
  'a dispute was won':
    "payment_transactions where disputed_at is not null and not is_disputed and status in ('held', 'releasing', 'completed')",
  'an operation was given up': 'provider_operations where given_up_at is not null',
  'a reversal was asked for': "provider_operations where kind = 'reversal'",
  'an operator is told of a payment': 'payment_issues',
  'a refund was booked after a payout': `ledger_journals one join ledger_journals other on other.payment_id = one.payment_id
    and other.id > one.id where one.kind = 'payout' and other.kind = 'refund'`,
  'somebody was banned with a payment held': `payment_transactions p join users u on u.id in (p.sender_id, p.receiver_id)
    where u.status = 'banned' and p.status = 'held'`,
  'somebody who was banned came back':
    "clock_stops where cause = 'banned' and clear_at < since + interval '60 days'",
  'somebody left': 'users where deleted_at is not null',
  'somebody left with a coupon that was sold': `users u join coupon_transfers t on t.from_user_id = u.id where u.deleted_at is not null`,
  'two people block each other': `user_blocks one join user_blocks other on (other.blocker_id, other.blocked_id)
    = (one.blocked_id, one.blocker_id)`,
  'a code was looked at by two owners': `(select coupon_id from coupon_reveals group by coupon_id
    having count(distinct user_id) > 1) as many`,
  'a coupon was used': 'coupons where used_at is not null',
  'a ring was found': 'matches where size > 2',
  'a match was proposed': "matches where state = 'proposed'",
  'a match was dismissed': "matches where state = 'dismissed'",
  'a mail was tried again': 'mail_outbox where attempts > 1',
  'somebody was rated': 'user_ratings',
  'somebody wrote about a deal': 'messages',
  'a report was dismissed': "user_reports where status = 'dismissed'",
};

/** What one line of the history says. */
const LINES: Readonly<Record<string, RegExp>> = {
  'somebody paid twice at once': /pays bid \d+ by \w+ again →/,
  'a payment was processing': /pays .*→ processing$/,
  'somebody accepted what others had reserved': /accepts .*→ coupon_reserved$/,
  'somebody accepted an old amount': /accepts bid .*→ (deal_changed|conflict)$/,
  'somebody acted for others and was refused': /→ forbidden$/,
  'somebody acted without a session': /→ unauthorized$/,
  'a code was asked for that another one owns': /looks at the code .*→ forbidden$/,
  'a code was asked for while a deal held it': /looks at the code .*→ coupon_reserved$/,
  'somebody bid in spite of a block': /bids on .*→ (conflict|coupon_unavailable)$/,
  'a claim came too late': /makes a (late )?claim about .*→ payment_changed$/,
  'a buyer confirmed during a claim or a dispute': /confirms bid .*→ payment_changed$/,
  'the outcome of an act was unknown': /→ outcome_unknown$/,
  'a provider was not there': /→ payments_unavailable$/,
  'a program died in a payment': /pays .*\(program dies (before|after)\)$/,
  'a program died while it sent a mail': /sends a mail \(program dies after\)$/,
  'a mail was sent and its answer lost': /sends a mail \(answer lost\)$/,
  'the answer of a commit was lost': /: commit \((line breaks|program dies) after\)$/,
  'a provider did what it answered an error to': /(POST|PATCH) .*\(error-after\)$/,
  'a provider did later what was asked of it': /: does what was asked of it before/,
  'a webhook came twice': /^webhook .* again: /,
  'a webhook failed on its way': /^webhook .*\((line breaks|program dies)/,
  'both programs did a job at once': /^[a-z-]+ \d+ again: /,
  'a job broke off': /^[a-z-]+ \d+( again)?: .*\((line breaks|program dies)/,
};

export const SITUATIONS: readonly string[] = [...Object.keys(STORED), ...Object.keys(LINES)];

/** What has come up in a run until now. @param history what has happened */
export async function comeUp({ direct }: World, history: readonly string[]): Promise<string[]> {
  const counts = Object.entries(STORED).map(
    ([name, rows]) => sql`select ${name}::text as name, count(*)::integer as count from ${sql.raw(rows)}`,
  );
  const { rows } = await sql<{ name: string; count: number }>`${sql.join(counts, sql` union all `)}`.execute(
    direct.db,
  );
  const stored = rows.filter(({ count }) => count > 0).map(({ name }) => name);
  const said = Object.entries(LINES).filter(([, line]) => history.some((one) => line.test(one)));
  return [...stored, ...said.map(([name]) => name)];
}
