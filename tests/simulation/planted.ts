import type { PlantedFault } from './database.ts';

const skips = (name: string, pattern: RegExp): PlantedFault => ({
  name,
  rewrite: (text) => (pattern.test(text) ? null : text),
});
const changes = (name: string, pattern: RegExp, to: string): PlantedFault => ({
  name,
  rewrite: (text) => text.replace(pattern, to),
});
const idles = (name: string, job: RegExp): PlantedFault => ({ name, job });

/** A trigger that changes each new row of a table. */
const spoils = (name: string, table: string, when: string, statement: string): PlantedFault => ({
  name,
  database: `create function spoil() returns trigger language plpgsql as $$ begin ${statement}; return new; end $$;
    create trigger a_spoil before ${when} on ${table} for each row execute function spoil()`,
});

/** What the simulation has to find. */
export const PLANTED: readonly PlantedFault[] = [
  skips('a reservation is not written', /^insert into "?coupon_reservations/),
  skips('a reservation is never released', /^delete from "?coupon_reservations/),
  skips('a transfer is not recorded', /^insert into "?coupon_transfers/),
  skips('who saw a code is not recorded', /^insert into "?coupon_reveals/),
  changes('a mail is lost', /where mail and \(not in_app/, 'where false and (not in_app'),
  changes('coupons are not locked', /(from "coupons"[\s\S]*) for (no key )?update[\s\S]*$/, '$1'),
  idles('deadlines are not kept', /^deadlines$/),
  idles('holds do not end', /^payments-deadlines$/),
  idles('unpaid bids stay', /^unpaid-bids-|^payments-deadlines$/),
  idles('nobody is paid out', /^payouts-/),
  idles('nobody is refunded', /^refunds-/),
  idles('no mail is sent', /^mail$/),
  spoils(
    'a seller is promised too little',
    'payment_transactions',
    'insert',
    'new.net_amount := new.net_amount - 0.01',
  ),
  spoils(
    'a payment is booked with a wrong fee',
    'payment_transactions',
    'insert',
    'new.buyer_fee := new.buyer_fee + 0.01',
  ),
  spoils(
    'a hold ends at once',
    'payment_transactions',
    'update',
    "if new.hold_until is not null and old.hold_until is null then new.hold_until := new.hold_until - interval '71 hours'; end if",
  ),
];
