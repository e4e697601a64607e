import { type Kysely, sql } from 'kysely';

/**
 * A bid below the lowest price waits like any other, so that nobody finds the price out. Bids that it had declined read as
 * declined by their owner.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table bids drop constraint bids_automatic, drop constraint bids_reason_check;
    update bids set reason = 'by_owner', is_automatic = false where reason = 'below_floor';
    alter table bids
      add constraint bids_reason_check check (reason in
        ('by_bidder', 'by_owner', 'rival_accepted', 'rival_completed', 'coupon_deleted',
         'coupon_changed', 'coupon_expired', 'deadline', 'party_banned', 'party_left')),
      add constraint bids_automatic check (not is_automatic or accepted_at is not null);
    comment on column bids.is_automatic is 'accepted at once by the price that the owner had set';
    comment on column coupons.price_floor is
      'CAD: bids below it wait without being announced; for the eyes of the owner alone'`.execute(db);
}
