import { type Kysely, sql } from 'kysely';

/** Coupons, their codes, and how they are searched. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTextFunctions(db);

  await sql`
    create function all_regions() returns text[] language sql immutable parallel safe return
      ${sql.lit(REGIONS)}::text[];
    comment on function all_regions is 'the countries of ISO 3166-1, alpha-2';

    create table coupons (
      id integer generated always as identity primary key,
      owner_id integer not null references users (id),
      title text not null check (length(title) between 3 and 120),
      description text not null check (length(description) between 10 and 2000),
      value integer not null,
      discount_type text not null default 'fixed' check (discount_type in ('fixed', 'percentage')),
      is_value_read boolean not null default false,
      merchant text not null check (length(merchant) between 2 and 80),
      category text not null check (category in
        ('food', 'retail', 'entertainment', 'travel', 'services', 'other', 'imported', 'verified', 'scraped')),
      expiry_date date,
      has_no_expiry boolean not null default false,
      time_zone text check (length(time_zone) <= 64),
      last_day_offset smallint not null default 0 check (last_day_offset between -720 and 840),
      regions text[] not null default '{}'
        constraint coupons_regions_known check (regions <@ all_regions()),
      transferable text not null default 'unknown'
        constraint coupons_transferable_known check (transferable in ('unknown', 'yes', 'no')),
      terms text check (length(terms) <= 2000),
      source_url text check (length(source_url) <= 2000),
      picture_id text references pictures (id),
      code_hash text check (length(code_hash) = 64),
      is_open_to_offers boolean not null default true,
      asking_price numeric(10, 2)
        constraint coupons_asking_price check (asking_price between 3.00 and 10000.00),
      price_floor numeric(10, 2),
      client_key uuid,
      is_verified boolean not null default false,
      is_active boolean not null default true,
      is_withheld boolean not null default false,
      waiting_since timestamptz,
      created_at timestamptz(3) not null,
      updated_at timestamptz not null,
      deleted_at timestamptz,
      expires_at timestamptz generated always as (((expiry_date + 1)::timestamp
        - interval '1 millisecond' - last_day_offset * interval '1 minute') at time zone 'UTC') stored,
      search_text text not null
        generated always as (fold_text(title || ' ' || merchant || ' ' || description)) stored,
      merchant_text text not null generated always as (fold_text(merchant)) stored,
      -- 0 is a public code whose worth no feed has stated (decisions 2.6).
      constraint coupons_value_check
        check (value between 1 and 99999999 or (value = 0 and category in ('imported', 'scraped'))),
      constraint coupons_percentage_bounded check (discount_type = 'fixed' or value <= 10000),
      constraint coupons_expiry_stated check (has_no_expiry = (expiry_date is null)),
      constraint coupons_verified_category check (category <> 'verified' or is_verified),
      constraint coupons_price_floor check (
        price_floor is null or (asking_price is not null and price_floor between 3.00 and asking_price)),
      constraint coupons_deleted_inactive check (deleted_at is null or not is_active),
      constraint coupons_deleted_priceless check (deleted_at is null or (asking_price is null and price_floor is null)),
      constraint coupons_withheld_inactive check (not (is_withheld and is_active)),
      constraint coupons_waiting_inactive check (waiting_since is null or not is_active),
      -- Public codes are for personal use: they are on no list.
      constraint coupons_personal_unlisted check (not is_active or category not in ('imported', 'scraped'))
    );
    comment on column coupons.is_value_read is 'the value was read from the title of the public offer';
    comment on column coupons.time_zone is 'where its owner listed it; null: not known';
    comment on column coupons.last_day_offset is 'minutes ahead of UTC in the region where its last day ends last';
    comment on column coupons.regions is 'ISO 3166-1 alpha-2, sorted; empty: anywhere';
    comment on column coupons.transferable is 'whether the merchant takes it from somebody else';
    comment on column coupons.code_hash is 'keyed hash of merchant and normalised code';
    comment on column coupons.is_open_to_offers is 'others may propose a swap for it, and the finder may suggest one';
    comment on column coupons.asking_price is 'CAD: bids of it or more are accepted at once';
    comment on column coupons.price_floor is 'CAD: bids below it wait without being announced; only its owner sees it';
    comment on column coupons.client_key is 'chosen by the sender: the same coupon sent twice is stored once';
    comment on column coupons.is_withheld is
      'hidden while its owner is banned or has no confirmed address, or until a moderator has looked at it';
    comment on column coupons.waiting_since is 'since when it waits for a moderator, before anybody else sees it';
    comment on column coupons.created_at is 'to the millisecond, as cursors carry it';
    comment on column coupons.search_text is 'folded text that searches look through';
    comment on column coupons.merchant_text is 'folded';

    -- The same code cannot be listed twice, by anybody; public codes are exempt (decisions 2.5).
    create unique index coupons_code_key on coupons (code_hash)
      where is_active and category not in ('imported', 'scraped');
    -- Nobody imports the same public code twice.
    create unique index coupons_imported_once on coupons (owner_id, code_hash)
      where deleted_at is null and category in ('imported', 'scraped');
    create unique index coupons_client_key on coupons (owner_id, client_key) where client_key is not null`.execute(
    db,
  );

  await sql`
    -- One index for each order and filter of the list: a page costs the same at a million rows. The key and the id run
    -- the same way, so that the row comparison of a cursor is one range of the index, ties included.
    create index coupons_newest on coupons (created_at desc, id desc) include (expires_at) where is_active;
    create index coupons_category_newest on coupons (category, created_at desc, id desc) include (expires_at)
      where is_active;
    create index coupons_merchant_newest on coupons (merchant_text, created_at desc, id desc) include (expires_at)
      where is_active;
    create index coupons_expiry on coupons ((coalesce(expires_at, 'infinity'::timestamptz)), id) where is_active;
    create index coupons_category_expiry on coupons
      (category, (coalesce(expires_at, 'infinity'::timestamptz)), id) where is_active;
    -- Percentages take no part in the order of money: they come last in both directions (decisions 1.4).
    create index coupons_value_high on coupons
      ((case when discount_type = 'fixed' then value else -1 end) desc, id desc) where is_active;
    create index coupons_value_low on coupons
      ((case when discount_type = 'fixed' then -value else -2147483647 end) desc, id desc) where is_active;
    create index coupons_category_value_high on coupons
      (category, (case when discount_type = 'fixed' then value else -1 end) desc, id desc) where is_active;
    create index coupons_category_value_low on coupons
      (category, (case when discount_type = 'fixed' then -value else -2147483647 end) desc, id desc) where is_active;
    create index coupons_search on coupons using gin (search_text gin_trgm_ops) with (fastupdate = off)
      where is_active;
    create index coupons_merchant on coupons using gin (merchant_text gin_trgm_ops) with (fastupdate = off)
      where is_active;
    create index coupons_owner_newest on coupons (owner_id, created_at desc, id desc) where deleted_at is null;
    create index coupons_owner_listed on coupons (owner_id, id) where is_active;
    create index coupons_withheld on coupons (owner_id) where is_withheld;
    create index coupons_waiting on coupons (waiting_since, id) where waiting_since is not null;
    create index coupons_picture on coupons (picture_id) where picture_id is not null;
    -- Reminders look for the coupons of one last day, unlisted ones too.
    create index coupons_last_day on coupons (expiry_date) where deleted_at is null and expiry_date is not null;
    -- The sitemap wants the last change in each part of 50,000 ids.
    create index coupons_sitemap on coupons (((id - 1) / 50000), updated_at) where is_active;

    -- The planner does not use the statistics of a partial index's expressions: it gets those of the whole table.
    alter table coupons alter column search_text set statistics 1000, alter column merchant_text set statistics 1000;
    create statistics coupons_end on (coalesce(expires_at, 'infinity'::timestamptz)) from coupons;
    create statistics coupons_high_rank on
      (case when discount_type = 'fixed' then value else -1 end) from coupons;
    create statistics coupons_low_rank on
      (case when discount_type = 'fixed' then -value else -2147483647 end) from coupons;

    -- All merchants that have ever had a coupon on a list: a part of a name finds the few whole names.
    create table merchants (name text primary key);
    comment on column merchants.name is 'folded';
    create index merchants_search on merchants using gin (name gin_trgm_ops);
    create function note_merchant() returns trigger language plpgsql as $$
    begin
      insert into merchants (name) values (new.merchant_text) on conflict do nothing;
      return null;
    end $$;
    create trigger coupons_note_merchant after insert or update of merchant, is_active on coupons
      for each row when (new.is_active) execute function note_merchant()`.execute(db);

  await sql`
    -- A coupon that is listed or bought in the moment of its owner's ban is hidden, too. 'for key share' waits for a
    -- ban that is being written (its lock is 'for update') and for nothing else: a foreign key takes the same lock.
    create function withhold_coupons() returns trigger language plpgsql as $$
    declare
      is_barred boolean;
    begin
      if tg_op = 'UPDATE' and new.owner_id <> old.owner_id then
        new.is_withheld := false;
      end if;
      if new.is_active then
        -- Locked whatever the status: one that is about to change is waited for.
        select status = 'banned' or deleted_at is not null or email_verified_at is null into is_barred
          from users where id = new.owner_id for key share;
        new.is_withheld := coalesce(is_barred, false) or new.waiting_since is not null;
        new.is_active := not new.is_withheld;
      end if;
      return new;
    end $$;
    create trigger coupons_withhold before insert or update of is_active, owner_id, waiting_since on coupons
      for each row execute function withhold_coupons();

    -- At once, because people who confirm their address want to deal now (decisions 3.16).
    create function release_coupons() returns trigger language plpgsql as $$
    declare
      withheld_id integer;
    begin
      for withheld_id in
        select id from coupons where owner_id = new.id and is_withheld order by id for no key update
      loop
        begin
          update coupons set is_active = true, is_withheld = false where id = withheld_id;
        exception when unique_violation then
          -- Somebody else has listed the code: it stays unlisted, as after a ban.
          update coupons set is_withheld = false where id = withheld_id;
        end;
      end loop;
      return null;
    end $$;
    create trigger coupons_release after update of email_verified_at on users for each row
      when (old.email_verified_at is null and new.email_verified_at is not null and new.status <> 'banned')
      execute function release_coupons();

    -- Only verified coupons are in the category of verified ones, whatever is asked for.
    create function leave_verified_category() returns trigger language plpgsql as $$
    begin
      new.category := 'other';
      return new;
    end $$;
    create trigger coupons_verified_category before insert or update of category, is_verified on coupons
      for each row when (new.category = 'verified' and not new.is_verified)
      execute function leave_verified_category();

    -- Both prices belong to the owner, not to the coupon.
    create function forget_price() returns trigger language plpgsql as $$
    begin
      new.asking_price := null;
      new.price_floor := null;
      return new;
    end $$;
    create trigger coupons_forget_price before update of owner_id on coupons
      for each row when (new.owner_id <> old.owner_id) execute function forget_price()`.execute(db);

  await sql`
    -- Apart from the coupon, so that no query of coupons can carry a code by accident.
    create table coupon_secrets (
      coupon_id integer primary key references coupons (id) on delete cascade,
      code bytea not null,
      is_drawable boolean not null default true
    );
    comment on column coupon_secrets.code is 'AES-256-GCM, bound to the coupon id';
    comment on column coupon_secrets.is_drawable is
      'false: its symbol holds other bytes than the text, so that only a picture of it can be shown';

    create table coupon_reveals (
      id integer generated always as identity primary key,
      coupon_id integer not null references coupons (id) on delete cascade,
      user_id integer not null references users (id),
      address text check (length(address) <= 100),
      user_agent text check (length(user_agent) <= 500),
      revealed_at timestamptz not null
    );
    comment on table coupon_reveals is 'who saw which code; from where, as evidence in a dispute';
    create index coupon_reveals_coupon on coupon_reveals (coupon_id, id desc);
    create index coupon_reveals_user on coupon_reveals (user_id);
    create index coupon_reveals_traced on coupon_reveals (revealed_at) where address is not null;

    create table coupon_earlier_codes (
      coupon_id integer not null references coupons (id) on delete cascade,
      code_hash text not null check (length(code_hash) = 64),
      merchant text not null,
      primary key (coupon_id, code_hash)
    );
    comment on table coupon_earlier_codes is
      'codes before an edit, or on its pictures: texts about its deals hide them, too';
    comment on column coupon_earlier_codes.code_hash is 'as coupons.code_hash was, with this merchant';

    -- A code that has changed hands belongs to its last owner for good, however often coupons with it come and go.
    create table code_owners (
      code_hash text primary key check (length(code_hash) = 64),
      owner_id integer not null references users (id)
    );
    comment on table code_owners is 'who got a code last; others cannot list it, even when its coupon is gone';
    create index code_owners_owner on code_owners (owner_id);
    -- After the row is stored, so that a transfer that it has waited for is seen.
    create function keep_code_owner() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and new.owner_id <> old.owner_id then
        insert into code_owners (code_hash, owner_id) values (new.code_hash, new.owner_id)
          on conflict (code_hash) do update set owner_id = excluded.owner_id;
      elsif new.is_active and new.category not in ('imported', 'scraped') and exists (
          select from code_owners where code_hash = new.code_hash and owner_id <> new.owner_id) then
        raise unique_violation using constraint = 'coupons_code_key', message = 'this code belongs to somebody else';
      end if;
      return null;
    end $$;
    create trigger coupons_keep_code_owner after insert or update of owner_id, code_hash, is_active, category on coupons
      for each row when (new.code_hash is not null) execute function keep_code_owner();

    create table code_forms (
      kind text primary key check (kind in ('coupons', 'offers')),
      form integer not null,
      after_id integer
    );
    comment on table code_forms is 'in which form of merchants and codes the hashes are made (CODE_FORM)';
    comment on column code_forms.after_id is 'up to here they are made in this form; null: all are';
    insert into code_forms (kind, form, after_id) values ('coupons', 1, null), ('offers', 1, null)`.execute(
    db,
  );

  await sql`
    -- Private pictures: symbols of codes, and evidence in claims.
    create table images (
      id text primary key check (id ~ '^[A-Za-z0-9_-]{22}$'),
      uploader_id integer references users (id),
      kind text not null check (kind in ('qrcode', 'barcode', 'evidence')),
      coupon_id integer references coupons (id) on delete cascade,
      claim_id integer,
      place smallint check (place between 1 and 3),
      content_type text not null check (content_type in ('image/webp', 'image/png')),
      width integer not null check (width > 0),
      height integer not null check (height > 0),
      codes bytea not null,
      created_at timestamptz not null,
      discarded_at timestamptz,
      constraint images_attached_by_kind check (
        case kind when 'evidence' then coupon_id is null and uploader_id is not null else claim_id is null end),
      constraint images_placed check ((claim_id is null) = (place is null)),
      constraint images_discarded_alone check (discarded_at is null or coupon_id is null)
    );
    comment on column images.uploader_id is 'null: somebody who was not signed in';
    comment on column images.place is 'among the pictures that this uploader gives for the claim';
    comment on column images.codes is 'the codes found in it, sealed';
    -- A coupon has one picture of each kind.
    create unique index images_coupon_kind on images (coupon_id, kind) where coupon_id is not null;
    create unique index images_claim on images (claim_id, uploader_id, place) where claim_id is not null;
    create index images_uploader on images (uploader_id);
    create index images_loose on images (created_at) where coupon_id is null and claim_id is null;

    create table validations (
      id integer generated always as identity primary key,
      user_id integer references users (id),
      coupon_id integer references coupons (id) on delete cascade,
      code_hash text not null check (length(code_hash) = 64),
      source text not null,
      validated_with text not null,
      is_valid boolean not null,
      is_confirmed boolean not null,
      verdict jsonb not null,
      disclaimer text check (length(disclaimer) <= 2000),
      created_at timestamptz not null,
      constraint validations_confirmed_valid check (is_valid or not is_confirmed)
    );
    comment on column validations.code_hash is 'keyed hash of merchant and normalised code';
    comment on column validations.disclaimer is 'what the person confirmed before asking';
    create index validations_code on validations (code_hash, user_id, id desc);
    create index validations_coupon on validations (coupon_id, id desc);
    create index validations_user on validations (user_id);
    create index validations_created on validations (created_at);

    create table saved_coupons (
      user_id integer not null references users (id),
      coupon_id integer not null references coupons (id) on delete cascade,
      created_at timestamptz(3) not null,
      primary key (user_id, coupon_id)
    );
    create index saved_coupons_newest on saved_coupons (user_id, created_at desc, coupon_id desc);
    create index saved_coupons_coupon on saved_coupons (coupon_id);

    create table expiry_reminders (
      coupon_id integer not null references coupons (id) on delete cascade,
      user_id integer not null references users (id),
      days integer not null check (days in (1, 7)),
      expiry_date date not null,
      created_at timestamptz not null,
      primary key (coupon_id, user_id, days, expiry_date)
    );
    create index expiry_reminders_user on expiry_reminders (user_id)`.execute(db);
}

/**
 * Texts are searched without regard to case, accents, apostrophes, hyphens and how they are encoded, and the same in
 * every database: nothing here depends on its locale. `fold_text` alone says what is the same.
 */
async function createTextFunctions(db: Kysely<unknown>): Promise<void> {
  const { from, to } = plainLetters();
  await sql`
    create function fold_text(given text) returns text language plpgsql immutable strict parallel safe as $$
    declare
      folded text := given;
    begin
      if octet_length(given) > length(given) then
        -- Apostrophes before the rest: some are a space and an accent otherwise.
        folded := regexp_replace(folded collate "C", '[´’‘‛ʼʻʹ′]', '''', 'g');
        folded := regexp_replace(normalize(folded, NFKD) collate "C",
          '[\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u064b-\\u0655\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe00-\\ufe0f\\ufe20-\\ufe2f]|[\\u00ad\\u058a\\u2010-\\u2015\\u2212]|[\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u2069\\ufeff]',
          '', 'g');
        if octet_length(folded) > length(folded) then
          folded := translate(folded, ${sql.lit(from)}, ${sql.lit(to)});
          folded := replace(replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
          folded := normalize(folded, NFC);
        end if;
      end if;
      return translate(lower(folded collate "C"), '''\`-', '');
    end $$;
    comment on function fold_text is
      'a text as it is searched: small letters without accents, apostrophes, hyphens and invisible characters';

    create function typed_words(given text) returns text[] language sql immutable strict parallel safe as $$
      select array(
        select folded from regexp_split_to_table(
            normalize(translate(given, '´’‘‛ʼʻʹ′', ''), NFKC) collate "C", '[ \\t\\n\\r\\f\\v,;\\u0085\\u1680\\u2028\\u2029\\u00ad\\u058a\\u2010-\\u2015\\u2212-]+'
          ) with ordinality as part (word, place), fold_text(word) as folded
        where folded <> '' order by place)
    $$;
    comment on function typed_words is
      'the folded words that somebody types into a search; a text that has them all is found';

    create function word_patterns(words text[]) returns text[] language sql immutable strict parallel safe as $$
      select array(
        select '%' || regexp_replace(word collate "C", '([\\\\%_])', '\\\\\\1', 'g') || '%' from unnest(words) as word)
    $$;
    comment on function word_patterns is 'for LIKE: texts with each of the words in them'`.execute(db);
}

/** Letters whose small form, without accents, is one other letter; as `translate` takes them. */
function plainLetters(): { from: string; to: string } {
  const pairs: [string, string][] = [...'øđðħłŧıς'].map((letter, place) => [letter, 'oddhltiσ'[place] ?? '']);
  const known = new Map(pairs);
  for (let point = 0x80; point <= 0x1_efff; point += 1) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const letter = String.fromCodePoint(point);
    if (!/\p{L}/u.test(letter) || letter.normalize('NFKD') !== letter) continue;
    const small = letter.toLowerCase();
    const plain = known.get(small) ?? small;
    if (plain !== letter && [...plain].length === 1) known.set(letter, plain);
  }
  return { from: [...known.keys()].join(''), to: [...known.values()].join('') };
}

const REGIONS =
  '{AD,AE,AF,AG,AI,AL,AM,AO,AQ,AR,AS,AT,AU,AW,AX,AZ,BA,BB,BD,BE,BF,BG,BH,BI,BJ,BL,BM,BN,BO,BQ,BR,BS,BT,BV,BW,BY,BZ,' +
  'CA,CC,CD,CF,CG,CH,CI,CK,CL,CM,CN,CO,CR,CU,CV,CW,CX,CY,CZ,DE,DJ,DK,DM,DO,DZ,EC,EE,EG,EH,ER,ES,ET,FI,FJ,FK,FM,FO,FR,' +
  'GA,GB,GD,GE,GF,GG,GH,GI,GL,GM,GN,GP,GQ,GR,GS,GT,GU,GW,GY,HK,HM,HN,HR,HT,HU,ID,IE,IL,IM,IN,IO,IQ,IR,IS,IT,JE,JM,JO,' +
  'JP,KE,KG,KH,KI,KM,KN,KP,KR,KW,KY,KZ,LA,LB,LC,LI,LK,LR,LS,LT,LU,LV,LY,MA,MC,MD,ME,MF,MG,MH,MK,ML,MM,MN,MO,MP,MQ,MR,' +
  'MS,MT,MU,MV,MW,MX,MY,MZ,NA,NC,NE,NF,NG,NI,NL,NO,NP,NR,NU,NZ,OM,PA,PE,PF,PG,PH,PK,PL,PM,PN,PR,PS,PT,PW,PY,QA,RE,RO,' +
  'RS,RU,RW,SA,SB,SC,SD,SE,SG,SH,SI,SJ,SK,SL,SM,SN,SO,SR,SS,ST,SV,SX,SY,SZ,TC,TD,TF,TG,TH,TJ,TK,TL,TM,TN,TO,TR,TT,TV,' +
  'TW,TZ,UA,UG,UM,US,UY,UZ,VA,VC,VE,VG,VI,VN,VU,WF,WS,YE,YT,ZA,ZM,ZW}';
