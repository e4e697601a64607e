import * as fc from 'fast-check';
import { endDeal, NOTHING, personOf } from '../state.ts';
import { type Act, type Aimed, act, member, says } from './act.ts';

/** Each is in the texts of all coupons. */
const word = fc.constantFrom('coupon', 'COUPON', 'model', 'knows');

function aimWant(who: number, search: string): Aimed {
  return {
    text: says(who, `looks for “${search}”`),
    who,
    gate: 'active',
    steps: [
      (state) => {
        const { wants } = personOf(state, who);
        if (wants.includes(search.toLowerCase())) return 'conflict';
        wants.push(search.toLowerCase());
        wants.sort();
        return 'ok';
      },
    ],
    async call(_world, caller) {
      await caller.wants.create({ search, gives: 'any' });
      return 'ok';
    },
  };
}

const wantAct = (who: number, search: string) => act(`want(${search})`, () => aimWant(who, search));

export const want: fc.Arbitrary<Act> = fc
  .record({ who: member, search: word })
  .map(({ who, search }) => wantAct(who, search));

/** Two who look for what the other has. */
export const openingWants = [0, 1].map((who) => wantAct(who, 'model'));

/** The latest want that somebody has. */
export const dropWant: fc.Arbitrary<Act> = member.map((who) =>
  act(
    'drop want',
    (state): Aimed => ({
      text: says(who, 'looks for one thing less'),
      who,
      gate: 'member',
      steps: [
        (after) => {
          const gone = personOf(state, who).wants.at(-1);
          const { wants } = personOf(after, who);
          if (gone === undefined || !wants.includes(gone)) return 'not_found';
          wants.splice(wants.indexOf(gone), 1);
          return 'ok';
        },
      ],
      async call(_world, caller) {
        const gone = personOf(state, who).wants.at(-1);
        const own = await caller.wants.list();
        const id = own.find(({ search }) => search?.toLowerCase() === gone)?.id;
        await caller.wants.remove({ id: id ?? NOTHING });
        return 'ok';
      },
    }),
  ),
);

/** Declines and withdraws all that waits between the two, then blocks. */
function aimBlock(who: number, whom: number): Aimed {
  return {
    text: says(who, `blocks person ${whom}`),
    who,
    gate: 'member',
    steps: [
      (state) => {
        if (who === whom) return 'forbidden';
        if (personOf(state, whom).hasLeft) return 'not_found';
        for (const [id, { kind, status, parties }] of state.deals) {
          if (status !== 'pending' || !parties.includes(who) || !parties.includes(whom)) continue;
          if (parties[0] !== who) endDeal(state, id, 'rejected', kind === 'ring' ? 'by_party' : 'by_owner');
          else endDeal(state, id, 'cancelled', kind === 'bid' ? 'by_bidder' : 'by_requester');
        }
        const { blocked } = personOf(state, who);
        if (!blocked.includes(whom)) blocked.push(whom);
        blocked.sort((one, other) => one - other);
        return 'ok';
      },
    ],
    async call(world, caller) {
      await caller.blocks.add({ userId: world.personId(whom) });
      return 'ok';
    },
  };
}

export const block: fc.Arbitrary<Act> = fc
  .record({ who: member, whom: member })
  .map(({ who, whom }) => act('block', () => aimBlock(who, whom)));

/** Chooses somebody who is blocked, if there is anybody. */
export const unblock: fc.Arbitrary<Act> = member.map((nth) =>
  act('unblock', (state): Aimed => {
    const pairs = state.people.flatMap(({ blocked }, one) => blocked.map((other) => [one, other] as const));
    const [who, whom] = pairs[nth % Math.max(1, pairs.length)] ?? [nth, nth];
    return {
      text: says(who, `unblocks person ${whom}`),
      who,
      gate: 'member',
      steps: [
        (after) => {
          const person = personOf(after, who);
          person.blocked = person.blocked.filter((other) => other !== whom);
          return 'ok';
        },
      ],
      async call(world, caller) {
        await caller.blocks.remove({ userId: world.personId(whom) });
        return 'ok';
      },
    };
  }),
);
