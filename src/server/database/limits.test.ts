import { beforeAll, expect, test } from 'vitest';
import { RATING_MAX, RATING_MIN, SEARCH_MAX, TIME_ZONE_MAX } from '#contract/base/bounds.ts';
import { type Currency, centsToDecimal } from '#contract/base/money.ts';
import { REASON_MAX } from '#contract/base/primitives.ts';
import {
  CODE_MAX,
  DESCRIPTION_MAX,
  DESCRIPTION_MIN,
  MERCHANT_MAX,
  MERCHANT_MIN,
  PERCENTAGE_MAX,
  TERMS_MAX,
  TITLE_MAX,
  TITLE_MIN,
  URL_MAX,
  VALUE_MAX,
} from '#contract/coupons/limits.ts';
import { DISCLAIMER_MAX } from '#contract/coupons/validation.ts';
import { DEVICE_ID_MAX, PUSH_TOKEN_MAX } from '#contract/coupons/wallet-passes.ts';
import { DEAL_MESSAGE_MAX } from '#contract/deals/deals.ts';
import { MESSAGE_MAX } from '#contract/deals/messages.ts';
import { RATING_COMMENT_MAX } from '#contract/deals/ratings.ts';
import { CLAIM_REASON_MIN } from '#contract/money/claims.ts';
import { largestBid, maxFeeMinimum, smallestBid } from '#contract/money/fees.ts';
import { REPORT_DESCRIPTION_MIN, REPORT_TEXT_MAX } from '#contract/oversight/moderation.ts';
import { BIO_MAX, EMAIL_MAX, USERNAME_MAX, USERNAME_MIN } from '#contract/people/accounts.ts';
import { API_KEY_NAME_MAX } from '#contract/people/api-keys.ts';
import { PASSKEY_NAME_MAX } from '#contract/people/passkeys.ts';
import { PUSH_ENDPOINT_MAX } from '#contract/people/push.ts';
import { WEBHOOK_URL_MAX } from '#contract/people/webhooks.ts';
import { BASE_CURRENCIES } from '#server/core/base-currencies.ts';
import { DETAILS_MAX } from '#server/people/audit/service.ts';
import { USER_AGENT_MAX } from '#server/trpc/context.ts';
import { setUpDatabase } from '#tests/support/database.ts';

const database = setUpDatabase();
let checks: { name: string; text: string }[];

beforeAll(async () => {
  const { rows } = await database.pool.query<{ name: string; text: string }>(
    `select conname as name, pg_get_constraintdef(oid) as text from pg_constraint
      where contype = 'c' and connamespace = 'public'::regnamespace order by conname`,
  );
  checks = rows;
});

/** The columns with a length check in the database: 'coupons.title' -> '3..120'. */
function boundedLengths(): Record<string, string> {
  const bounds = checks.flatMap(({ name, text }) => {
    const column = /length\((\w+)\) [<>]=/.exec(text)?.[1];
    if (!column) return [];
    const [min = '', max = ''] = ['>=', '<='].map(
      (sign) => new RegExp(`length\\(${column}\\) ${sign} (\\d+)`).exec(text)?.[1],
    );
    return [[`${name.slice(0, -`_${column}_check`.length)}.${column}`, `${min}..${max}`]];
  });
  return Object.fromEntries(bounds);
}

test("the database limits the length of people's and feeds' texts like the contract", () => {
  expect(boundedLengths()).toEqual({
    'api_keys.name': `1..${API_KEY_NAME_MAX}`,
    'assistant_requests.message': `1..${MESSAGE_MAX}`,
    'bids.message': `..${DEAL_MESSAGE_MAX}`,
    'coupons.description': `${DESCRIPTION_MIN}..${DESCRIPTION_MAX}`,
    'coupons.merchant': `${MERCHANT_MIN}..${MERCHANT_MAX}`,
    'coupons.source_url': `..${URL_MAX}`,
    'coupons.terms': `..${TERMS_MAX}`,
    'coupons.time_zone': `..${TIME_ZONE_MAX}`,
    'coupons.title': `${TITLE_MIN}..${TITLE_MAX}`,
    'data_exports.id': '20..40',
    'exchanges.message': `..${DEAL_MESSAGE_MAX}`,
    'feed_offers.code': `1..${CODE_MAX}`,
    'feed_offers.description': `1..${DESCRIPTION_MAX}`,
    'feed_offers.image_url': `..${URL_MAX}`,
    'feed_offers.merchant': `1..${MERCHANT_MAX}`,
    'feed_offers.source_url': `..${URL_MAX}`,
    'feed_offers.terms': `..${TERMS_MAX}`,
    'feed_offers.title': `1..${TITLE_MAX}`,
    'oauth_clients.name': `1..${API_KEY_NAME_MAX}`,
    'payment_issue_notes.text': `1..${REASON_MAX}`,
    'messages.content': `1..${MESSAGE_MAX}`,
    'claims.answer': `1..${REASON_MAX}`,
    'claims.note': `1..${REASON_MAX}`,
    'claims.shop_answer': `1..${REASON_MAX}`,
    'claims.reason': `${CLAIM_REASON_MIN}..${REASON_MAX}`,
    'reconciliation_differences.note': `1..${REASON_MAX}`,
    'user_ratings.comment': `..${RATING_COMMENT_MAX}`,
    'user_reports.description': `${REPORT_DESCRIPTION_MIN}..${REPORT_TEXT_MAX}`,
    'user_reports.evidence': `..${REPORT_TEXT_MAX}`,
    'user_reports.moderator_notes': `..${REASON_MAX}`,
    'users.status_reason': `..${REASON_MAX}`,
    'users.bio': `..${BIO_MAX}`,
    // The contract has no minimum length for addresses: it checks the format.
    'users.email': `3..${EMAIL_MAX}`,
    'users.pending_email': `3..${EMAIL_MAX}`,
    'mail_outbox.address': `3..${EMAIL_MAX}`,
    'validations.disclaimer': `..${DISCLAIMER_MAX}`,
    'push_subscriptions.endpoint': `..${PUSH_ENDPOINT_MAX}`,
    'quiet_hours.time_zone': `..${TIME_ZONE_MAX}`,
    'wallet_devices.device_id': `1..${DEVICE_ID_MAX}`,
    'wallet_devices.push_token': `1..${PUSH_TOKEN_MAX}`,
    'wants.merchant': `1..${MERCHANT_MAX}`,
    'wants.search': `1..${SEARCH_MAX}`,
    // Texts that the program writes itself.
    'audit_log.action': '1..60',
    'audit_log.details': `..${DETAILS_MAX}`,
    'coupon_reveals.address': '..100',
    'coupon_reveals.key_name': `1..${API_KEY_NAME_MAX}`,
    'coupon_reveals.user_agent': `..${USER_AGENT_MAX}`,
    'draft_views.address': '..100',
    'draft_views.key_name': `1..${API_KEY_NAME_MAX}`,
    'draft_views.user_agent': `..${USER_AGENT_MAX}`,
    'feeds.name': '1..80',
    'job_runs.cron': '9..60',
    'job_runs.last_error': '..1000',
    'job_runs.name': '1..60',
    'deposits.last_error': '..1000',
    'provider_operations.last_error': '..1000',
    'payment_issues.ref': '1..300',
    'mail_outbox.last_error': '..1000',
    'mail_outbox.subject': '1..200',
    'push_outbox.title': '1..200',
    'notifications.content': '1..2000',
    'identities.issuer': '1..500',
    'identities.subject': '1..255',
    'identity_requests.email': `3..${EMAIL_MAX}`,
    'identity_requests.issuer': '1..500',
    'identity_requests.nonce': '..100',
    'identity_requests.return_path': '..2000',
    'identity_requests.subject': '1..255',
    'identity_requests.verifier': '..128',
    'passkeys.credential_id': '1..1400',
    'passkeys.name': `1..${PASSKEY_NAME_MAX}`,
    'payment_customers.customer_ref': '1..200',
    'payment_methods.brand': '1..40',
    'payment_methods.tokenized_details': '1..200',
    'payment_transactions.details': '..1000',
    'payment_transactions.receiver_account': '1..200',
    'reconciliation_differences.ref': '..200',
    'seller_accounts.account_ref': '1..200',
    'sessions.user_agent': `..${USER_AGENT_MAX}`,
    'setting_changes.name': '1..60',
    'sign_ins.user_agent': `..${USER_AGENT_MAX}`,
    'transaction_logs.details': '..2000',
    'webhook_deliveries.event_id': '20..60',
    'webhook_endpoints.url': `..${WEBHOOK_URL_MAX}`,
    'webhook_events.event_id': '1..200',
    'webhook_events.last_error': '..1000',
  });
});

test('the database limits names and amounts like the contract', () => {
  const textOf = (wanted: string) => checks.find(({ name }) => name === wanted)?.text;
  expect(textOf('users_username_check')).toContain(`{${USERNAME_MIN},${USERNAME_MAX}}`);
  // In every currency that a market may have.
  const inEach = (limit: (currency: Currency) => number) => BASE_CURRENCIES.map(limit);
  const least = centsToDecimal(Math.min(...inEach(smallestBid)));
  const most = centsToDecimal(Math.max(...inEach(largestBid)));
  for (const name of [
    'bids_amount_check',
    'bids_counter_amount',
    'coupons_asking_price',
    'exchange_legs_price',
  ])
    expect(textOf(name)).toMatch(new RegExp(`>= ${least}.*<= ${most}`));
  for (const name of ['bids_buyer_fee_minimum', 'bids_seller_fee_minimum'])
    expect(textOf(name)).toContain(`<= ${centsToDecimal(Math.max(...inEach(maxFeeMinimum)))}`);
  expect(textOf('user_ratings_rating_check')).toContain(`>= ${RATING_MIN}) AND (rating <= ${RATING_MAX})`);
  for (const table of ['coupons', 'feed_offers']) {
    expect(textOf(`${table}_value_check`)).toContain(`(value >= 1) AND (value <= ${VALUE_MAX})`);
    expect(textOf(`${table}_percentage_bounded`)).toContain(`value <= ${PERCENTAGE_MAX}`);
  }
});
