import { type Kysely, sql } from 'kysely';

/** What was shown to whoever offered or agreed stays with their bid or consent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table bids
      add column bidder_terms jsonb constraint bids_bidder_terms check (jsonb_typeof(bidder_terms) = 'object'),
      add column owner_terms jsonb constraint bids_owner_terms check (jsonb_typeof(owner_terms) = 'object'),
      add column guarantee_days integer not null default 0
        constraint bids_guarantee_days check (guarantee_days between 0 and 100);
    comment on column bids.bidder_terms is 'the fees and the days of guarantee when the bidder last named an amount';
    comment on column bids.owner_terms is 'the same of the owner; null: they have made no counter-offer';
    comment on column bids.guarantee_days is 'the days that were agreed at its acceptance; without meaning before';
    alter table exchange_parties
      add column terms jsonb constraint exchange_parties_terms check (jsonb_typeof(terms) = 'object');
    comment on column exchange_parties.terms is 'the fees that were in force when the party agreed'`.execute(
    db,
  );
}
