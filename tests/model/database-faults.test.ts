import { sql } from 'kysely';
import { describe, it } from 'vitest';
import { shortOrLong } from '#server/testing/rounds.ts';
import { everything, goodbyes, type Mix } from './choices.ts';
import { expectFound } from './faults.ts';
import { openPlace } from './world.ts';

/** Each test plants one fault in the database, and the model must object. */

/** Long enough for a whole ban, on a busy machine, too. */
const BAN_MS = 250;

/** Leaves a ban the time to pass by a new coupon. */
const SLOW_AND_BLIND = `
  drop trigger coupons_withhold on coupons;
  create function dawdle() returns trigger language plpgsql as
    'begin perform pg_sleep(${BAN_MS / 1_000}); return new; end';
  create trigger dawdling before insert on coupons for each row execute function dawdle()`;

const FAULTS: [fault: string, statement: string, choices: Mix][] = [
  ['somebody may bid twice', 'drop index bids_one_pending', goodbyes],
  ...shortOrLong<[], [string, string, Mix][]>(
    [],
    [
      [
        'two deals may hold one coupon',
        'alter table coupon_reservations drop constraint coupon_reservations_pkey',
        everything,
      ],
      ['somebody may ask twice', 'drop index exchanges_one_pending', everything],
      ['a code may be listed twice', 'drop index coupons_code_key', everything],
      ['a claim may be made twice', 'alter table claims drop constraint claims_bid_id_key', everything],
      ['coupons of banned people may be listed', SLOW_AND_BLIND, goodbyes],
    ],
  ),
];

describe('a fault in the database is found', () => {
  it.for(FAULTS)('%s', async ([, statement, choices], { annotate }) => {
    const faulty = await openPlace();
    try {
      await sql.raw(statement).execute(faulty.market.ctx.db);
      await expectFound(faulty, choices, annotate);
    } finally {
      await faulty.close();
    }
  });
});
