import type { DatabaseHandle } from '#server/database/client.ts';
import { createUser, type TestContext } from './builders.ts';

/** What judges or follows single acts; these rows need neither. */
const GUARDED = ['coupons', 'bids', 'coupon_transfers', 'ledger_entries', 'transaction_logs'];

/**
 * Sales of 20.00, one an hour back from now, half of them at one merchant and the others at 150. One in 100 was refunded. What is booked adds up, but providers would
 * say less of it: for query plans, not for rules of the books.
 */
const salesSql = (given: { seller: number; buyer: number; now: Date; count: number }) => `
  insert into coupons (owner_id, title, description, value, merchant, category, has_no_expiry, created_at, updated_at)
  select ${given.buyer}, 'Sold ' || i, 'Sold on the market', 4000, case when i % 2 = 0 then 'Large' else 'Shop ' || i % 300 end, 'food', true, now(), now()
  from generate_series(1, ${given.count}) as i;
  insert into bids (coupon_id, bidder_id, owner_id, amount, status, created_at, updated_at, accepted_at, completed_at)
  select id, ${given.buyer}, ${given.seller}, 20, 'completed', at, at, at, at
  from (select id, timestamptz '${given.now.toISOString()}' - row_number() over (order by id) * interval '1 hour' as at from coupons) as sold;
  insert into coupon_transfers (coupon_id, from_user_id, to_user_id, bid_id, created_at)
  select coupon_id, owner_id, bidder_id, id, created_at from bids;
  insert into sold_prices (bid_id, merchant_text, percent, sold_at)
  select bids.id, merchant_text, 50, bids.created_at from bids join coupons on coupons.id = bids.coupon_id;
  insert into payment_transactions (bid_id, sender_id, receiver_id, provider, receiver_account, amount, buyer_fee, seller_fee,
    platform_fee, net_amount, status, stripe_charge_id, paid_at, ended_at, created_at, updated_at)
  select id, bidder_id, owner_id, 'stripe', 'account', 20, 1, 1, 2, 19,
    case when id % 100 = 0 then 'refunded' else 'completed' end, 'charge ' || id, created_at, created_at, created_at, created_at
  from bids;
  insert into transaction_logs (user_id, actor_id, action, details, payment_id, created_at)
  select sender_id, sender_id, 'payment', 'Paid', id, created_at from payment_transactions;
  insert into ledger_accounts (kind, provider, user_id)
  values ('provider_clearing', 'stripe', null), ('seller_payable', null, ${given.seller}), ('platform_fees', null, null);
  insert into ledger_journals (kind, payment_id, amount, sequence, created_at)
  select kind, id, 21, 1, paid_at from payment_transactions, unnest('{capture,refund}'::text[]) as kind
  where kind = 'capture' or status = 'refunded';
  insert into ledger_entries (journal_id, account_id, amount)
  select journal.id, account.id, case journal.kind when 'refund' then -1 else 1 end
    * case account.kind when 'provider_clearing' then 21 when 'seller_payable' then -19 else -2 end
  from ledger_journals as journal, ledger_accounts as account`;

/** Fills an empty market with `count` sales between two people. */
export async function createManySales(
  ctx: TestContext,
  { pool }: Pick<DatabaseHandle, 'pool'>,
  count: number,
): Promise<void> {
  const [seller, buyer] = [await createUser(ctx), await createUser(ctx)];
  const turnTriggers = (how: 'disable' | 'enable') =>
    GUARDED.map((table) => `alter table ${table} ${how} trigger user`).join(';');
  const statements = salesSql({ seller: seller.id, buyer: buyer.id, now: ctx.clock(), count });
  await pool.query(`begin; ${turnTriggers('disable')}; ${statements}; commit; ${turnTriggers('enable')}`);
  await pool.query('vacuum analyze');
}
