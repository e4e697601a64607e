import { type Kysely, sql } from 'kysely';

/** Private pictures as evidence of a claim that a code does not work. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table images
      add column claim_id integer references claims (id) on delete cascade,
      add column place smallint check (place between 1 and 3),
      add constraint images_placed check ((claim_id is null) = (place is null)),
      drop constraint images_kind_check,
      add constraint images_kind_check check (kind in ('qrcode', 'barcode', 'evidence')),
      add constraint images_attached_by_kind check (
        case kind when 'evidence' then coupon_id is null and uploader_id is not null else claim_id is null end);
    comment on column images.place is 'among the pictures of one side of the claim, which is its uploader';
    create unique index images_claim on images (claim_id, uploader_id, place) where claim_id is not null;
    drop index images_loose;
    create index images_loose on images (created_at) where coupon_id is null and claim_id is null`.execute(
    db,
  );
}
