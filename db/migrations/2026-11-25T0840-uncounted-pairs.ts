import { type Kysely, sql } from 'kysely';

/**
 * Who may be one person with two accounts: what the two do with each other counts for nothing. Earlier deals stay
 * counted, as browsers were not compared and networks not stored; that each pair counts once is in the queries and
 * holds for earlier deals and ratings, too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table uncounted_pairs (
      lower_id integer not null references users (id),
      higher_id integer not null references users (id),
      primary key (lower_id, higher_id),
      constraint uncounted_pairs_order check (lower_id < higher_id)
    );
    create index uncounted_pairs_higher on uncounted_pairs (higher_id);
    comment on table uncounted_pairs is 'people who were seen in one browser, or at one internet address when they dealt';

    alter table sign_ins add column network_hash text check (length(network_hash) = 64);
    comment on column sign_ins.network_hash is
      'keyed hash of the IPv4 address or the /64 of the IPv6 address; null: earlier sign-ins, and this machine itself';

    alter table users add column deal_partners integer not null default 0 check (deal_partners >= 0);
    comment on column users.deal_partners is 'with how many people they have completed deals that count; see the leaderboard'
    `.execute(db);
}
