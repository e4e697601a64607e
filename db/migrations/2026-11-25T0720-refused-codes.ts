import { type Kysely, sql } from 'kysely';

/** A merchant's own account may refuse a code in the step that completes a deal (decisions 3.17). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table exchanges
      drop constraint exchanges_reason_check,
      add constraint exchanges_reason_check check (reason in
        ('by_requester', 'by_owner', 'by_party', 'countered', 'rival_completed', 'coupon_deleted',
         'coupon_changed', 'coupon_expired', 'code_refused', 'deadline', 'party_banned', 'party_left'));
    alter table bids
      drop constraint bids_reason_check,
      add constraint bids_reason_check check (reason in
        ('by_bidder', 'by_owner', 'rival_accepted', 'rival_completed', 'coupon_deleted',
         'coupon_changed', 'coupon_expired', 'code_refused', 'deadline', 'party_banned', 'party_left'))
  `.execute(db);
}
