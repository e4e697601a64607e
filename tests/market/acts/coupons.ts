import * as fc from 'fast-check';
import {
  cancelPending,
  dayOf,
  dollars,
  isBarred,
  isTaken,
  personOf,
  putOnList,
  type State,
} from '../state.ts';
import { type Act, type Aimed, act, chooseCoupon, couponAt, couponChoice, member, says } from './act.ts';

/** What an owner fills in here; all else is the same for all coupons. */
interface Offer {
  readonly code: string;
  readonly value: number;
  readonly lastDay: string | null;
  readonly asking: number | null;
  readonly floor: number | null;
}

const fieldsOf = ({ code, value, lastDay, asking, floor }: Offer, id: number) => ({
  title: `Coupon ${id}`,
  description: 'A coupon that the model knows.',
  merchant: 'Bakery Lane',
  category: 'food' as const,
  value,
  codeValue: code,
  hasNoExpiry: lastDay === null,
  expiryDate: lastDay,
  askingPrice: asking === null ? null : dollars(asking),
  priceFloor: floor === null ? null : dollars(floor),
});

const isPast = (state: State, { lastDay }: Offer) => lastDay !== null && lastDay < dayOf(state.now);

/** A code that is recognised wherever it is shown. */
const codeOf = (own: number) => `SIM-OWN${own}-Q7X`;

/** Mostly a code of its own; sometimes one that others may have listed. */
const codeChoice = fc.oneof(
  { weight: 5, arbitrary: fc.constant(null) },
  fc.constantFrom('SIM-SHARED1-Q7X', 'SIM-SHARED2-Q7X'),
);
/** Days until the last day; null: it never expires. */
const daysChoice = fc.constantFrom(null, null, 60, 60, 5, 0);

function aimList(who: number, offer: Offer, own: number): Aimed {
  return {
    text: says(who, `lists coupon ${own} (${offer.code}, until ${offer.lastDay ?? 'ever'})`),
    who,
    gate: 'active',
    steps: [
      (state) => {
        if (isPast(state, offer)) return 'bad_input';
        if (personOf(state, who).hasLeft) return 'unauthorized';
        if (!isBarred(state, who) && isTaken(state, offer.code, own)) return 'code_listed';
        const coupon = {
          owner: who,
          ...offer,
          isListed: false,
          isHidden: false,
          isDeleted: false,
          heldBy: null,
          cameBy: null,
        };
        state.coupons.set(own, coupon);
        putOnList(state, coupon);
        return 'ok';
      },
    ],
    async call(world, caller) {
      const { id } = await caller.coupons.create(fieldsOf(offer, own));
      world.remember('coupons', own, id);
      return 'ok';
    },
  };
}

const NO_PRICES: Pick<Offer, 'asking' | 'floor'> = { asking: null, floor: null };

/** By the number of the coupon. */
const VALUES = [1_000, 2_000, 3_500];

const listAct = (who: number, code: string | null, days: number | null, prices = NO_PRICES) =>
  act(`list(${code ?? 'own code'}, ${days ?? 'no'} days)`, ({ now }, own) => {
    const lastDay = days === null ? null : dayOf(now, days);
    const value = VALUES[own % VALUES.length] ?? 1_000;
    return aimList(who, { code: code ?? codeOf(own), value, lastDay, ...prices }, own);
  });

const pricesChoice = fc.constantFrom(
  { asking: 1_500, floor: 1_000 },
  { asking: 1_250, floor: 1_250 },
  { asking: 2_000, floor: null },
  NO_PRICES,
);

export const list: fc.Arbitrary<Act> = fc
  .record({ who: member, code: codeChoice, days: daysChoice, prices: pricesChoice })
  .map(({ who, code, days, prices }) => listAct(who, code, days, prices));

/** What is there before anything happens: two coupons of each, one with prices. */
export const opening = [0, 1, 2, 3].flatMap((who) => [
  listAct(who, null, null, { asking: 1_500, floor: 1_000 }),
  listAct(who, null, 60),
]);

function aimEdit(who: number, id: number, offer: Offer): Aimed {
  return {
    text: says(who, `edits coupon ${id} (${offer.code}, ${offer.value}, until ${offer.lastDay ?? 'ever'})`),
    who,
    gate: 'active',
    steps: [
      (state) => {
        const coupon = couponAt(state, id);
        if (!coupon || (coupon.isHidden && coupon.owner !== who)) return 'not_found';
        if (coupon.owner !== who) return 'forbidden';
        if (coupon.heldBy !== null) return 'coupon_reserved';
        if (isPast(state, offer)) return 'bad_input';
        if (!isBarred(state, who) && isTaken(state, offer.code, id)) return 'code_listed';
        const { code, value, lastDay } = coupon;
        if (code !== offer.code || value !== offer.value || lastDay !== offer.lastDay) {
          cancelPending(state, [id], 'coupon_changed');
        }
        Object.assign(coupon, offer);
        putOnList(state, coupon);
        return 'ok';
      },
    ],
    async call(world, caller) {
      await caller.coupons.update({ id: world.couponId(id), ...fieldsOf(offer, id) });
      return 'ok';
    },
  };
}

const changeChoice = fc.constantFrom('nothing', 'value', 'code', 'last day', 'prices', 'prices', 'prices');

export const edit: fc.Arbitrary<Act> = fc
  .record({
    who: member,
    coupon: couponChoice('own'),
    change: changeChoice,
    code: codeChoice,
    prices: pricesChoice,
  })
  .map(({ who, coupon, change, code, prices }) =>
    act(`edit(${change})`, (state, own) => {
      const id = chooseCoupon(state, who, coupon);
      const {
        code: oldCode,
        value,
        lastDay,
        asking,
        floor,
      } = state.coupons.get(id) ?? {
        code: 'NO-CODE',
        value: 1_000,
        lastDay: null,
        asking: null,
        floor: null,
      };
      return aimEdit(who, id, {
        code: change === 'code' ? (code ?? codeOf(own)) : oldCode,
        value: change === 'value' ? value + 1 : value,
        lastDay: change === 'last day' ? dayOf(state.now, 20) : lastDay,
        ...(change === 'prices' ? prices : { asking, floor }),
      });
    }),
  );

function aimRemove(who: number, id: number): Aimed {
  return {
    text: says(who, `removes coupon ${id}`),
    who,
    gate: 'active',
    steps: [
      (state) => {
        const coupon = couponAt(state, id);
        if (!coupon) return 'not_found';
        if (coupon.owner !== who) return 'forbidden';
        if (coupon.heldBy !== null) return 'coupon_reserved';
        cancelPending(state, [id], 'coupon_deleted');
        Object.assign(coupon, { isDeleted: true, isListed: false, asking: null, floor: null });
        return 'ok';
      },
    ],
    async call(world, caller) {
      await caller.coupons.remove({ id: world.couponId(id) });
      return 'ok';
    },
  };
}

export const remove: fc.Arbitrary<Act> = fc
  .record({ who: member, coupon: couponChoice('own') })
  .map(({ who, coupon }) => act('remove', (state) => aimRemove(who, chooseCoupon(state, who, coupon))));
