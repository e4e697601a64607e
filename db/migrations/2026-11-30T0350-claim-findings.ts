import { type Kysely, sql } from 'kysely';

/** A claim knows what the merchant's programme has told about the uses of the code. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table claims
      add column asked_at timestamptz,
      add column finding text constraint claims_finding check (
        finding in ('redeemed_before', 'redeemed_after', 'works', 'refused', 'unclear')),
      add column finding_at timestamptz,
      add column finding_for text constraint claims_finding_for check (finding_for in ('claimant', 'giver')),
      add column redeemed_at timestamptz,
      add column redeemed_place text,
      add column compared_at timestamptz,
      add column contested_at timestamptz,
      add constraint claims_finding_dated check ((finding is null) = (finding_at is null)),
      add constraint claims_finding_whole check (
        finding is not null or num_nonnulls(finding_for, redeemed_at, redeemed_place, compared_at) = 0),
      add constraint claims_contested_finding check (contested_at is null or finding_for is not null);
    comment on column claims.asked_at is 'when the merchant''s programme was last asked how the code was used';
    comment on column claims.finding is 'what it told; null: nothing yet';
    comment on column claims.finding_at is 'when it told that';
    comment on column claims.finding_for is 'for whom that decides the claim; null: a person has to decide';
    comment on column claims.redeemed_at is 'when the code was first used';
    comment on column claims.redeemed_place is 'where, in the programme''s words';
    comment on column claims.compared_at is 'when the coupon changed hands, or whoever claims first saw the code: what redeemed_at lies before or after';
    comment on column claims.contested_at is 'when whoever would lose by the finding has asked a moderator'`.execute(
    db,
  );
}
