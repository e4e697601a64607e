import { type Kysely, sql } from 'kysely';

/** A claim that nobody decides in time ends by a rule, unless whoever would lose asks an admin. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table claims
      add column default_for text constraint claims_default_for check (default_for in ('claimant', 'giver')),
      add column default_at timestamptz,
      add column appealed_at timestamptz,
      add column is_default boolean not null default false,
      add column told_admins_at timestamptz,
      add constraint claims_default_dated check ((default_for is null) = (default_at is null)),
      add constraint claims_appeal_of_default check (appealed_at is null or default_for is not null),
      add constraint claims_ended_by_default check (
        not is_default or default_for is not null and appealed_at is null and decided_by is null
          and status in ('refunded', 'released', 'upheld', 'refused')),
      drop constraint claims_decided_by_somebody,
      -- A refund may have nobody who decided it: the buyer's bank can give the money back as well.
      add constraint claims_decided_by_somebody check (
        status not in ('released', 'upheld', 'refused') or decided_by is not null or is_default);
    comment on column claims.default_for is 'for whom the claim ends at default_at if nobody decides it; null: it does not end by itself';
    comment on column claims.default_at is 'when the claim ends for default_for';
    comment on column claims.appealed_at is 'when whoever would lose has asked an admin, so that it does not end by itself';
    comment on column claims.is_default is 'whether nobody has decided it, so that it ended for default_for';
    comment on column claims.told_admins_at is 'when admins were last told that the claim waits for them'`.execute(
    db,
  );
}
