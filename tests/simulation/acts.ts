import * as fc from 'fast-check';
import type { Caller } from '#server/rest/caller.ts';
import { CARDS } from '#tests/support/payments.ts';
import {
  type Act,
  type Aimed,
  act,
  chooseCoupon,
  chooseDeal,
  couponChoice,
  dealChoice,
  member,
  says,
} from '../market/acts/act.ts';
import { ADMIN, NOTHING } from '../market/state.ts';
import { chance } from './choices.ts';
import { playOutside } from './outside.ts';
import type { Reach } from './sight.ts';

/** What people do besides the acts that the model knows. It says nothing of how these end. */

/** The codes that a text shows. */
const codesIn = (text: string) => text.match(/SIM-\w+-Q7X/g) ?? [];

const REASON = 'The code does not work at the till.';

type Given = Partial<Pick<Aimed, 'party' | 'gate'>>;

/** An act of one person that is some calls. */
const calls = (
  who: number,
  what: string,
  call: (caller: Caller, reach: Reach) => Promise<unknown>,
  given: Given = {},
): Aimed => ({
  text: says(who, what),
  who,
  gate: 'member',
  steps: [() => 'ok'],
  async call(reach: Reach, caller) {
    await call(caller, reach);
    return 'ok';
  },
  ...given,
});

const anybody = fc.nat(ADMIN);

/** Reads whatever shows coupons and deals: nobody may learn a code there. */
export const read: fc.Arbitrary<Act> = fc
  .record({ who: anybody, nth: fc.nat(8), coupon: couponChoice('others'), deal: dealChoice('first') })
  .map(({ who, nth, coupon, deal }) =>
    act('read', (state) => {
      const id = chooseCoupon(state, who, coupon);
      const bid = chooseDeal(state, 'bid', deal).id;
      const exchange = chooseDeal(state, 'swap', deal).id;
      const reads: ((caller: Caller, reach: Reach) => Promise<unknown>)[] = [
        ({ coupons }) => coupons.list({}),
        ({ coupons }) => coupons.mine({}),
        ({ deals }) => deals.list({}),
        ({ notifications }) => notifications.list({}),
        ({ messages }) => messages.conversations({}),
        ({ coupons }) => coupons.byId({ id }),
        ({ bids }) => bids.byId({ id: bid }),
        ({ payments }) => payments.checkout({ bidId: bid }),
        ({ exchanges }, { exchangeId }) => exchanges.byId({ id: exchangeId(exchange) }),
      ];
      return calls(who, 'reads', async (caller, reach) => reads[nth]?.(caller, reach));
    }),
  );

/** Looks at a code, their own or another's, or says that it is used. */
export const reveal: fc.Arbitrary<Act> = fc
  .record({ who: member, coupon: fc.oneof(couponChoice('own'), couponChoice('others')), nth: fc.nat(7) })
  .map(({ who, coupon, nth }) =>
    act('reveal', (state) => {
      const id = chooseCoupon(state, who, coupon);
      return calls(who, `looks at the code of coupon ${id}`, ({ coupons }) => {
        if (nth === 0) return coupons.markUsed({ id });
        return nth === 1 ? coupons.unmarkUsed({ id }) : coupons.reveal({ id });
      });
    }),
  );

/** Uses a code at the till: of a coupon of their own, or any that they have been told once. */
export const redeem: fc.Arbitrary<Act> = fc
  .record({ who: member, coupon: couponChoice('own'), isOld: fc.nat(2), nth: fc.nat() })
  .map(({ who, coupon, isOld, nth }) =>
    act('redeem', (state) => {
      const id = chooseCoupon(state, who, coupon);
      if (isOld > 0)
        return calls(who, `uses the code of coupon ${id}`, async ({ coupons }, { world }) => {
          const { code } = await coupons.reveal({ id });
          if (code !== null) world.programme.use(code, who);
        });
      return calls(who, 'uses a code that they know', async (_caller, { world }) => {
        const known = world.told.filter((one) => one.who === who).flatMap(({ text }) => codesIn(text));
        const code = known[nth % known.length];
        if (code !== undefined) world.programme.use(code, who);
      });
    }),
  );

/** A buyer uses a code about which they have claimed that it does not work. */
export const redeemClaimed: fc.Arbitrary<Act> = dealChoice('first').map((choice) =>
  act('redeem a claimed code', (state) => {
    const { deal } = chooseDeal(state, 'bid', choice, ({ payment }) => payment?.claim === 'open');
    const [who, id] = [deal?.parties[0] ?? 0, deal?.coupon ?? NOTHING];
    return calls(who, `uses the claimed code of coupon ${id}`, async (_caller, { world }) => {
      const known = world.told.filter((one) => one.who === who && one.text.includes(`"id":${id},`));
      const [code] = known.flatMap(({ text }) => codesIn(text));
      if (code !== undefined) world.programme.use(code, who);
    });
  }),
);

/** Asks a moderator before a claim ends by itself. */
const appealOf = (isOfSale: boolean): fc.Arbitrary<Act> =>
  fc.record({ deal: dealChoice('first'), isFirst: fc.boolean() }).map(({ deal, isFirst }) =>
    act('appeal', (state) => {
      const { id, deal: about } = isOfSale
        ? chooseDeal(state, 'bid', deal, ({ payment }) => payment?.claim === 'open')
        : chooseDeal(state, 'swap', deal, ({ claims }) => claims.some(({ status }) => status === 'open'));
      const who = about?.parties[isFirst ? 0 : 1] ?? 0;
      const open =
        about && 'claims' in about ? about.claims.find(({ status }) => status === 'open') : undefined;
      return calls(
        who,
        `appeals about deal ${id}`,
        async ({ claims }, reach) =>
          claims.appeal({
            id: await (isOfSale ? reach.claimId(id) : reach.legClaimId(id, open?.coupon ?? NOTHING)),
          }),
        { party: { deal: id } },
      );
    }),
  );
export const appeal = fc.oneof(appealOf(true), appealOf(false));

/** What a person does to a bid. */
const toBid = (
  name: string,
  isUsual: Parameters<typeof chooseDeal<'bid'>>[3],
  call: (caller: Caller, bidId: number, reach: Reach) => Promise<unknown>,
  isFirst = true,
): fc.Arbitrary<Act> =>
  dealChoice('first').map((choice) =>
    act(name, (state) => {
      const { id, who } = chooseDeal(state, 'bid', choice, isUsual);
      return calls(who, `${name} bid ${id}`, (caller, reach) => call(caller, id, reach), {
        party: { deal: id, isFirst },
      });
    }),
  );

const payBy = (card: string) =>
  toBid(
    'pays by another card',
    ({ status }) => status === 'accepted',
    async ({ payments }, bidId, { market: { stripe } }) => {
      const { clientSecret } = await payments.createIntent({ bidId });
      await stripe.confirmWithCard(clientSecret, card);
    },
  );
/** Pays by a card that a bank declines or looks at, or does not come back from the provider. */
export const payOtherwise = fc.oneof(...[CARDS.declined, CARDS.processing, CARDS.good].map(payBy));

export const claimLate = toBid(
  'makes a late claim about',
  ({ payment }) => payment?.state === 'final',
  ({ payments }, bidId) => payments.openClaim({ bidId, reason: REASON, shopAnswer: 'It was cancelled.' }),
);

const talkAbout = (talk: (caller: Caller, about: { dealType: 'bid'; dealId: number }) => Promise<unknown>) =>
  toBid('talks about', undefined, (caller, dealId) => talk(caller, { dealType: 'bid', dealId }), false);
export const talk = fc.oneof(
  talkAbout(({ messages }, about) => messages.send({ ...about, content: 'When do I get it?' })),
  talkAbout(({ ratings }, about) => ratings.create({ ...about, rating: 8 })),
);

/** Proposes the first swap, of two or in a ring, that the finder suggests, or wants to see it no more. */
export const match: fc.Arbitrary<Act> = fc.record({ who: member, isGood: fc.nat(2) }).map(({ who, isGood }) =>
  act('match', () =>
    calls(who, 'looks at matches', async ({ matches }) => {
      const id = (await matches.list())[0]?.id;
      if (id === undefined) return;
      await (isGood > 0 ? matches.propose({ id }) : matches.dismiss({ id, reason: 'not_interested' }));
    }),
  ),
);

export const report: fc.Arbitrary<Act> = fc.record({ who: member, whom: member }).map(({ who, whom }) =>
  act('report', () =>
    calls(who, `reports person ${whom}`, ({ moderation }, { personId }) =>
      moderation.report({
        reportedUserId: personId(whom),
        reason: 'fake_coupon',
        description: REASON,
      }),
    ),
  ),
);

export const review: fc.Arbitrary<Act> = fc.nat(9).map((nth) =>
  act('review', () =>
    calls(
      ADMIN,
      'reviews a report',
      async ({ moderation }) => {
        const id = (await moderation.reports({})).items[0]?.id ?? NOTHING;
        await moderation.review({ id, action: nth === 0 ? 'ban' : 'dismiss', notes: 'So be it.' });
      },
      { gate: 'admin' },
    ),
  ),
);

/** Somebody does something at a provider, or a bank does. */
export const outside: fc.Arbitrary<Act> = fc.nat().map((seed) =>
  act(
    'outside',
    (): Aimed => ({
      text: 'something happens at a provider',
      who: null,
      gate: 'anybody',
      steps: [() => 'ok'],
      async call({ world }: Reach) {
        await playOutside(world, (about) => chance(seed, about));
        return 'ok';
      },
    }),
  ),
);
