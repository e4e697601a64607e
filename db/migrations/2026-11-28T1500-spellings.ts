import { type Kysely, sql } from 'kysely';

/**
 * Spellings that mean the same find each other: letters of other scripts that are stretched or have several forms are
 * folded, and a searched text has the long and the short spellings of its words beside each other.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { from, to } = sameLetters();
  const steps = String.raw`folded := normalize(folded, NFC);
          -- The line that stretches Arabic words, and points of Hebrew and Arabic.
          folded := regexp_replace(folded collate "C",
            '[\u0640\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]', '', 'g');
          folded := translate(folded, '${from}', '${to}');
          -- Japanese words are written with the long mark at their end and without it.
          folded := regexp_replace(folded collate "C", '([\u3041-\u3096\u30fc][\u3041-\u3096])\u30fc+(?![\u3041-\u3096\u30fc])', '\1', 'g');`;
  await sql`
    -- The function has these steps itself: an index is also written where no function of ours has a name.
    do $do$
    begin
      execute format('create or replace function fold_text(given text) returns text language plpgsql immutable strict parallel safe as %L',
        (select replace(prosrc, 'folded := normalize(folded, NFC);', ${sql.lit(steps)}) from pg_proc where oid = 'fold_text'::regproc));
    end $do$;
    comment on function fold_text is 'a text as it is searched: spellings of the same letters have one form';

    create function other_spellings(given text) returns text language plpgsql immutable strict parallel safe as $$
    declare
      long constant text := case when octet_length(given) > length(given) then normalize(given, NFC) else '' end;
      folded constant text := fold_text(regexp_replace(given collate "C", '[-\\u2010-\\u2015]', ' ', 'g'));
    begin
      return coalesce((
        select string_agg(distinct spelling, ' ' order by spelling)
        from (
          select fold_text(replace(replace(replace(replace(replace(
            translate(part[1], 'ÄÖÜÅØ', 'äöüåø'), 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'å', 'aa'), 'ø', 'oe')) as spelling
          from regexp_matches(long collate "C", '[^ \\t\\n\\r!-/:-@[-\`{-~]*[äöüåøÄÖÜÅØ][^ \\t\\n\\r!-/:-@[-\`{-~]*', 'g') as part
          union all
          select regexp_replace(replace(part[1], 'aa', 'a'), '([aou])e([b-df-hj-np-tv-z])', '\\1\\2', 'g')
          from regexp_matches(folded collate "C", '[a-z]*(?:[aou]e[b-df-hj-np-tv-z]|aa)[a-z]*', 'g') as part
          union all
          select other from regexp_matches(folded collate "C", '\\y(?:${words()})\\y', 'g') as part
          join (values ${pairs()}) as pair (word, other) on word = part[1]
        ) as every), '');
    end $$;
    comment on function other_spellings is
      'the folded words of a text that are also written otherwise, in that spelling: "muller" of "Mueller", "saint" of "St."';

    create function searchable(given text) returns text language sql immutable strict parallel safe as $$
      select fold_text(given) || ' ' || other_spellings(given)
    $$;
    comment on function searchable is 'what searches look through: a folded text, and the other spellings of its words';

    alter table coupons drop column search_text;
    alter table coupons add column search_text text not null
      generated always as (searchable(title || ' ' || merchant || ' ' || description)) stored;
    comment on column coupons.search_text is 'folded text that searches look through';
    alter table coupons alter column search_text set statistics 1000;
    create index coupons_search on coupons using gin (search_text gin_trgm_ops) with (fastupdate = off) where is_active;

    alter table feed_merchants drop column search_text;
    alter table feed_merchants add column search_text text not null generated always as (searchable(name)) stored;
    create index feed_merchants_search on feed_merchants using gin (search_text gin_trgm_ops)`.execute(db);

  // Writes again what is stored in the old form.
  await sql`
    update coupons set merchant = merchant where merchant_text <> fold_text(merchant);
    delete from merchants where name <> fold_text(name);
    delete from merchant_health where merchant <> fold_text(merchant);
    update sold_prices set merchant_text = fold_text(merchant_text) where merchant_text <> fold_text(merchant_text);

    delete from wants using wants as earlier
    where earlier.user_id = wants.user_id and earlier.id < wants.id
      and row(fold_text(earlier.search), fold_text(earlier.merchant), earlier.category, earlier.low, earlier.high,
          earlier.expiry_days, earlier.checked_days, earlier.region)
        is not distinct from row(fold_text(wants.search), fold_text(wants.merchant), wants.category, wants.low, wants.high,
          wants.expiry_days, wants.checked_days, wants.region);
    reindex index wants_one_of_a_kind;
    update wants set search = search, merchant = merchant
    where search_patterns is distinct from word_patterns(typed_words(search))
      or merchant_patterns is distinct from word_patterns(typed_words(merchant))`.execute(db);
}

/** Letters that are written in several forms, and the form that is kept. */
function sameLetters(): { from: string; to: string } {
  let [from, to] = ['', ''];
  // Final letters of Hebrew, and what Arabic and Persian write differently.
  for (const pair of ['ךכ', 'םמ', 'ןנ', 'ףפ', 'ץצ', 'ةه', 'ىي', 'ٱا', 'کك', 'یي', '٪%']) {
    from += pair.charAt(0);
    to += pair.charAt(1);
  }
  // Digits of Arabic, Persian and Hindi.
  for (const zero of [0x660, 0x6f0, 0x966]) {
    for (let digit = 0; digit <= 9; digit += 1) {
      from += String.fromCodePoint(zero + digit);
      to += String(digit);
    }
  }
  // Katakana are hiragana.
  for (let kana = 0x30a1; kana <= 0x30f6; kana += 1) {
    from += String.fromCodePoint(kana);
    to += String.fromCodePoint(kana - 0x60);
  }
  return { from, to };
}

/** Words that are also written short. */
const ABBREVIATED: readonly (readonly [short: string, long: string])[] = [
  ['st', 'saint'],
  ['ste', 'sainte'],
  ['mt', 'mount'],
  ['mt', 'mont'],
  ['dr', 'doctor'],
  ['dr', 'docteur'],
  ['bros', 'brothers'],
  ['co', 'company'],
  ['cie', 'compagnie'],
  ['intl', 'international'],
  ['blvd', 'boulevard'],
  ['ave', 'avenue'],
  ['jr', 'junior'],
  ['sr', 'senior'],
];

/** An expression that finds one of them, in either form. */
const words = () => sql.raw([...new Set(ABBREVIATED.flat())].join('|'));

/** What each of them is beside: the other form, and the short one with the point, which somebody may type. */
const pairs = () =>
  sql.join(
    ABBREVIATED.flatMap(([short, long]) => [
      sql`(${sql.lit(short)}, ${sql.lit(long)})`,
      sql`(${sql.lit(short)}, ${sql.lit(`${short}.`)})`,
      sql`(${sql.lit(long)}, ${sql.lit(`${short}.`)})`,
    ]),
  );
