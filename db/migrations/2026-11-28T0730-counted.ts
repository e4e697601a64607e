import { type Kysely, type RawBuilder, sql } from 'kysely';

/**
 * What two people do with each other counts for figures about people, codes and merchants if both have confirmed their
 * addresses, and nothing says that they are one person. Deleted people had confirmed theirs before they dealt.
 */
function pairCounts(one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`not exists (
        select from uncounted_pairs as pair where pair.lower_id = least(${one}, ${other}) and pair.higher_id = greatest(${one}, ${other}))
      and not exists (select from users where users.id = ${one} and email_verified_at is null and deleted_at is null)
      and not exists (select from users where users.id = ${other} and email_verified_at is null and deleted_at is null)`;
}

/** The deals and reports that count. Every figure about people, codes and merchants reads these views. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create view counted_deals as
      select deal.id, deal.coupon_id, deal.exchange_id, deal.bid_id, deal.from_user_id as giver_id,
        deal.to_user_id as receiver_id, deal.created_at as completed_at,
        exists (select from coupon_transfers as back where back.bid_id = deal.bid_id and back.is_return) as is_undone
      from coupon_transfers as deal
      where not deal.is_return and ${pairCounts(sql`deal.from_user_id`, sql`deal.to_user_id`)}
      and not exists (
        select from coupon_transfers as given
        where given.from_user_id = deal.to_user_id and given.coupon_id = deal.coupon_id and given.id < deal.id
          and not given.is_return);
    comment on view counted_deals is
      'coupons that changed hands, without those that come back to somebody who gave them away, also over others';

    create view counted_payments as
      select payment.id, payment.bid_id, bids.exchange_id, payment.sender_id, payment.receiver_id, payment.status,
        payment.paid_at
      from payment_transactions as payment join bids on bids.id = payment.bid_id
      where ${pairCounts(sql`payment.sender_id`, sql`payment.receiver_id`)};

    create view counted_claims as
      select claim.id, claim.exchange_id, coalesce(bids.coupon_id, claim.coupon_id) as coupon_id, claim.claimant_id,
        claim.giver_id, claim.status, claim.created_at, claim.answered_at, claim.decided_at
      from claims as claim left join bids on bids.id = claim.bid_id
      where ${pairCounts(sql`claim.claimant_id`, sql`claim.giver_id`)};

    create view counted_ratings as
      select rating.id, rating.rater_id, rating.rated_user_id, rating.rating, rating.visible_at
      from user_ratings as rating where ${pairCounts(sql`rating.rater_id`, sql`rating.rated_user_id`)};

    create view counted_history as
      select line.id, line.user_id, line.actor_id, line.action, line.exchange_id, line.bid_id, line.created_at
      from transaction_logs as line
      where line.actor_id is null or line.actor_id = line.user_id
        or (${pairCounts(sql`line.user_id`, sql`line.actor_id`)});
    comment on view counted_history is 'what people did themselves, and what others did to them';

    create view counted_reports as
      select report.id, report.code_hash, report.user_id, report.coupon_id, report.worked, report.given_at
      from code_feedback as report
      where not exists (
          select from users where users.id = report.user_id and email_verified_at is null and deleted_at is null)
        and not exists (
          select from coupons join uncounted_pairs as pair on pair.lower_id = least(coupons.owner_id, report.user_id)
            and pair.higher_id = greatest(coupons.owner_id, report.user_id)
          where coupons.id = report.coupon_id)
        and not exists (
          select from coupon_transfers as got join uncounted_pairs as pair
            on pair.lower_id = least(got.from_user_id, got.to_user_id)
            and pair.higher_id = greatest(got.from_user_id, got.to_user_id)
          where got.coupon_id = report.coupon_id and got.to_user_id = report.user_id);
    comment on view counted_reports is
      'what was said of codes, but not by whoever may be one person with the owner or with who gave it to them';
    comment on column user_ratings.is_counted is 'was visible when the totals of the rated person were last added up';

    -- As the application adds them up from now on: the latest of each rater.
    update users set rating_count = put.found, total_rating = put.total
    from (
      select users.id, count(latest.rating)::integer as found, coalesce(sum(latest.rating), 0)::integer as total
      from users left join (
        select distinct on (rated_user_id, rater_id) rated_user_id, rating
        from counted_ratings where id in (select id from user_ratings where is_counted)
        order by rated_user_id, rater_id, id desc) as latest on latest.rated_user_id = users.id
      group by users.id) as put
    where put.id = users.id and (rating_count, total_rating) <> (put.found, put.total)`.execute(db);
}
