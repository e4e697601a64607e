/**
 * `node --import ./scripts/build/typescript.js scripts/programs/release-backup.ts`: writes tests/fixtures/<version>.clipswap, a backup of this release with
 * the demo and with rows in every table. A test restores it into later releases. Run it once, when a release is ready.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSandbox, sandboxSettings } from '#sandbox/main.ts';
import { openStore } from '#sandbox/store.ts';
import { loadConfig } from '#server/core/config.ts';
import { createLogger } from '#server/core/log.ts';
import { openTemporaryDatabase } from '#server/database/temporary.ts';
import { backUp } from '#server/oversight/backup/service.ts';
import { openProgram } from '#server/program.ts';
import { openStorage } from '#server/providers/storage/open-storage.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { seedDemoOnce } from '../demo/seed.ts';

/** Rows of the tables that the demo leaves empty. 1 and 2 are people, coupons and so on of the demo. */
const REST = `
  insert into account_tokens (user_id, purpose, token_hash, email, expires_at, created_at)
    select 1, 'verify_email', repeat('a', 64), email, now() + interval '1 day', now() from users where id = 1;
  insert into private_addresses (user_id, kind, key, token_hash, created_at) values
    (1, 'calendar', gen_random_uuid(), repeat('f', 64), now());
  insert into clock_stops (user_id, cause, since, clear_at) values (null, 'outage', now() - interval '2 hours', now());
  insert into coupon_earlier_codes (coupon_id, code_hash, merchant) select id, repeat('b', 64), merchant from coupons
    where id = 1;
  insert into feed_picture_fetches (url, host, due_at, asked_at) values
    ('https://example.org/1.png', 'example.org', now(), now());
  insert into feed_picture_waits (coupon_id, url) values (1, 'https://example.org/1.png');
  insert into images (id, uploader_id, kind, coupon_id, content_type, width, height, codes, created_at) values
    (repeat('a', 22), (select owner_id from coupons where id = 1), 'qrcode', 1, 'image/png', 100, 100, '\\x00', now());
  insert into inbound_mails (user_id, message_key, received_at) values (1, repeat('a', 64), now());
  insert into inbound_mail_parts (mail_id, sealed) select id, '\\x00' from inbound_mails;
  insert into coupon_drafts (user_id, place, mail_id, sealed, created_at) select user_id, 1, id, '\\x00', now()
    from inbound_mails;
  insert into job_runs (name, cron, started_at, succeeded_at, duration_ms) values ('deal-deadlines', '* * * * *', now(), now(), 5);
  insert into market_pulse (beat_at) values (now());
  insert into match_fits (want_id, coupon_id) select id, 1 from wants where id = 1;
  insert into match_wishes (user_id, coupon_id) values (2, 1);
  insert into match_swaps_notified (user_id, given_id, got_id) values (1, 1, 2);
  insert into match_notifications (user_id, notified_at) values (1, now());
  insert into match_dismissals (user_id, reason, person_id, created_at) values (1, 'person', 2, now());
  insert into match_edges (taker_id, owner_id, coupon_id, gives_some)
    select case owner_id when 1 then 2 else 1 end, owner_id, id, false from coupons where id = 1;
  insert into matches (key, size, is_explicit, score, created_at, updated_at) values ('1', 2, false, 0, now(), now());
  insert into match_legs (match_id, place, coupon_id, giver_id, receiver_id)
    select matches.id, 1, coupon_id, owner_id, taker_id from matches, match_edges;
  insert into message_receipts (message_id, user_id, exchange_id)
    select id, receiver_id, exchange_id from messages where exchange_id is not null limit 1;
  insert into payment_issues (kind, ref, mailed_at) values ('event', 'stripe:evt_1', now());
  insert into payment_issue_notes (kind, ref, author_id, text, created_at) values ('event', 'stripe:evt_1', 1, 'Looks odd', now());
  insert into notification_preferences (user_id, type, in_app, mail) values (1, 'message', true, false);
  insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth, created_at)
    select user_id, id, 'https://fcm.googleapis.com/fcm/send/1', repeat('A', 87), repeat('A', 22), now() from sessions limit 1;
  insert into push_outbox (subscription_id, title, link, next_try_at, created_at)
    select id, 'It works', '/', now(), now() from push_subscriptions;
  insert into quiet_hours (user_id, starts_at, ends_at, time_zone) values (1, '22:00', '07:00', 'America/Toronto');
  insert into passkeys (user_id, credential_id, public_key, counter, transports, name, created_at) values
    (1, 'credential', '\\x01', 0, '{internal}', 'Phone', now());
  insert into passkey_challenges (challenge_hash, browser_hash, purpose, expires_at) values
    (repeat('c', 64), repeat('d', 64), 'sign_in', now());
  insert into rate_limits (key, points, expire) values ('sign-in:192.0.2.1', 1, 1800000000000);
  insert into reconciliation_differences (provider, ref, kind, ours, theirs, found_at) values
    ('stripe', 'ch_1', 'capture', 0, 12.50, now());
  insert into setting_changes (name, value, changed_at) values ('ringPeopleMax', '4', now());
  insert into second_factors (user_id, secret, created_at) values (1, '\\x02', now());
  insert into recovery_codes (user_id, code_hash, created_at) values (1, repeat('e', 64), now());
  insert into denied_requests (hour, kind, user_id, address, call, count, last_at) values
    (date_trunc('hour', now()), 'limit', null, '192.0.2.1', 'coupons.list', 3, now());
  insert into timelines (system, timeline) values ('1', 1);
  insert into uncounted_pairs (lower_id, higher_id) values (1, 2);
  insert into user_blocks (blocker_id, blocked_id, created_at) select 1, max(id), now() from users;
  insert into want_gifts (want_id, coupon_id) select id, 1 from wants where id = 1;
  insert into webhook_events (provider, event_id, type, payload, subject, next_try_at, received_at, processed_at) values
    ('stripe', 'evt_1', 'charge.updated', '{}', '{"kind": "none"}', now(), now(), now())`;

const folder = await mkdtemp(path.join(tmpdir(), 'clipswap-release-'));
const log = createLogger({ logLevel: 'warn', isProduction: true });
const database = await openTemporaryDatabase(undefined, log);
const sandbox = await openSandbox({
  store: openStore(),
  marketplace: () => null,
  publicUrl: 'http://localhost',
  webhooks: 'held',
});
try {
  const config = loadConfig({
    ...sandboxSettings(sandbox.url),
    NODE_ENV: 'test',
    SEED_DEMO: 'true',
    DATABASE_URL: database.url,
    SECRET_KEY: Buffer.alloc(32, 'release backup').toString('base64'),
    DATA_DIR: folder,
    FILES_DIR: path.join(folder, 'files'),
  });
  const program = await openProgram(config, log);
  await seedDemoOnce(program);
  await program.pool.query(REST);
  await program.close();
  const file = path.resolve(import.meta.dirname, `../../tests/fixtures/${packageFile.version}.clipswap`);
  await rm(file, { force: true });
  const from = {
    databaseUrl: database.url,
    storage: openStorage(config.storage),
    secretKeys: config.secretKeys,
  };
  const { rows } = await backUp(from, file, () => {});
  console.log(
    `${file} is written. Empty tables:`,
    Object.keys(rows).filter((table) => rows[table] === 0),
  );
} finally {
  await sandbox.close();
  await database.close();
  await rm(folder, { recursive: true });
}
