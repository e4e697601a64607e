import { type Kysely, sql } from 'kysely';

/** People get private addresses for more than their calendar. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table calendar_addresses rename to private_addresses;
    alter table private_addresses rename constraint calendar_addresses_user_id_fkey to private_addresses_user_id_fkey;
    alter table private_addresses rename constraint calendar_addresses_token_hash_key to private_addresses_token_hash_key;
    alter table private_addresses rename constraint calendar_addresses_token_hash_check
      to private_addresses_token_hash_check;
    alter table private_addresses drop constraint calendar_addresses_pkey;
    alter table private_addresses add column kind text not null default 'calendar' check (kind in ('calendar', 'mail'));
    alter table private_addresses alter column kind drop default;
    alter table private_addresses add primary key (user_id, kind);
    comment on column private_addresses.kind is 'calendar: reads the last days of coupons; mail: takes vouchers'`.execute(
    db,
  );
}
