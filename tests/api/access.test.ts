import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/domains/context.ts';
import { REST_CALLS, type RestCall } from '#server/rest/table.ts';
import { createTestApp, type TestApp, type TestCall } from '#server/testing/app.ts';
import { createCoupon, createUser } from '#server/testing/builders.ts';
import { insertImage } from '#server/testing/images.ts';
import { insertFeedOffer } from '#server/testing/offers.ts';
import { insertAcceptedBid, insertCard, insertHeldSale, type TestSale } from '#server/testing/sales.ts';
import { appRouter } from '#server/trpc/root.ts';

/**
 * Who gets which answer from every call, at both doors. Every procedure must have its row here: the first test
 * fails while one has none.
 */

/** owner: of the coupon that is asked for. counterpart: who asked for it, and bids on it. The rest have no part in it. */
const PEOPLE = ['anonymous', 'stranger', 'counterpart', 'owner', 'moderator', 'admin', 'suspended'] as const;
type Person = (typeof PEOPLE)[number];

interface World {
  readonly people: Record<Person, Actor | null>;
  readonly couponId: number;
  /** What each of the seven has to offer. */
  readonly ownCouponIds: Record<Person, number>;
  readonly exchangeId: number;
  readonly bidId: number;
  readonly notificationId: number;
  /** The counterpart is the buyer, the owner the seller. */
  readonly acceptedBidId: number;
  readonly sale: TestSale;
  readonly claimed: TestSale;
  /** The owner's. */
  readonly cardId: number;
  /** A picture that the owner has uploaded for no coupon yet. */
  readonly imageId: string;
}

interface Row {
  readonly input: (world: World, person: Person) => unknown;
  readonly answers: Record<Person, number>;
}

/** The same answer to everybody. */
const all = (status: number) =>
  Object.fromEntries(PEOPLE.map((person) => [person, status])) as Record<Person, number>;
/** Everybody signed in, whatever they are. */
const members = { ...all(200), anonymous: 401 };
/** Everybody signed in who may act. */
const activeMembers = { ...members, suspended: 403 };
/** One person's business: the rest learn that it is theirs not. */
const onlyOwner = (refusal: number) => ({ ...all(refusal), anonymous: 401, owner: 200, suspended: 403 });

const moderators = { ...all(403), anonymous: 401, moderator: 200, admin: 200 };
const admins = { ...all(403), anonymous: 401, admin: 200 };
/** The bidder's business; no provider is set up here, which is what the bidder is told. */
const payers = { ...all(403), anonymous: 401, counterpart: 503 };
/** Of a sale between the two: the buyer's to say. */
const buyers = (answer: number) => ({
  ...all(404),
  anonymous: 401,
  counterpart: answer,
  owner: 403,
  suspended: 403,
});

const newCoupon = {
  title: 'Two coffees for one',
  description: 'Valid at every branch, weekdays only.',
  value: 450,
  merchant: 'Corner Coffee',
  category: 'food',
  hasNoExpiry: true,
};

const registration = (name: string) => ({
  username: name,
  email: `${name}@example.org`,
  password: 'a rather long pass phrase',
  acceptTerms: true,
  isAdult: true,
});

let counter = 0;
const nothing = () => undefined;

const ACCESS: Record<string, Row> = {
  'accounts.me': { input: nothing, answers: all(200) },
  'accounts.currentUser': { input: nothing, answers: members },
  'accounts.register': { input: () => registration(`newcomer-${++counter}`), answers: all(200) },
  'accounts.login': { input: () => ({ username: 'nobody-here', password: 'wrong' }), answers: all(401) },
  'accounts.logout': { input: nothing, answers: all(200) },
  'accounts.demoPeople': { input: nothing, answers: all(200) },

  'coupons.list': { input: () => ({}), answers: all(200) },
  'coupons.byId': { input: ({ couponId }) => ({ id: couponId }), answers: all(200) },
  'coupons.mine': { input: () => ({}), answers: members },
  'coupons.create': { input: () => newCoupon, answers: activeMembers },
  'coupons.update': { input: ({ couponId }) => ({ ...newCoupon, id: couponId }), answers: onlyOwner(403) },
  'coupons.remove': { input: ({ couponId }) => ({ id: couponId }), answers: onlyOwner(403) },
  // The suspended person of this world owns nothing here: they are a stranger who may read.
  'coupons.reveal': { input: ({ couponId }) => ({ id: couponId }), answers: onlyOwner(403) },

  'coupons.codeImage': {
    input: ({ couponId }) => ({ id: couponId, kind: 'qrcode' }),
    answers: { ...all(403), anonymous: 401, owner: 200 },
  },
  'coupons.save': {
    input: ({ couponId }) => ({ couponId }),
    // The owner has it.
    answers: { ...activeMembers, owner: 403 },
  },
  'coupons.unsave': { input: ({ couponId }) => ({ couponId }), answers: activeMembers },
  'coupons.saved': { input: () => ({}), answers: members },
  'coupons.validate': {
    input: ({ couponId }) => ({ couponId, ownershipConfirmation: true }),
    // Without a coupon it is open to everybody: below.
    answers: members,
  },

  'discover.list': { input: () => ({}), answers: members },
  'discover.offers': { input: () => ({ merchant: 'Harbour Books' }), answers: members },
  'discover.import': {
    input: () => ({ merchant: 'Harbour Books', code: 'READ10' }),
    answers: activeMembers,
  },
  'discover.importAll': { input: () => ({ merchant: 'Harbour Books' }), answers: activeMembers },

  'images.upload': {
    input: () => ({ kind: 'qrcode', bytes: 'a picture' }),
    // Bytes do not pass through the doors of JSON: uploads have one of their own.
    answers: all(400),
  },
  'images.read': {
    input: ({ imageId }) => ({ id: imageId }),
    answers: { ...all(404), owner: 200 },
  },
  'images.extractCode': {
    input: ({ imageId }) => ({ imageUrl: `/api/images/${imageId}`, imageType: 'qrcode' }),
    answers: { ...all(404), owner: 200 },
  },

  'exchanges.list': { input: () => ({}), answers: members },
  'exchanges.byId': {
    input: ({ exchangeId }) => ({ id: exchangeId }),
    answers: { ...all(404), anonymous: 401, counterpart: 200, owner: 200 },
  },
  'exchanges.propose': {
    input: ({ couponId, ownCouponIds }, person) => ({
      requestedCouponId: couponId,
      offeredCouponId: ownCouponIds[person],
    }),
    // The counterpart has asked already; the owner cannot ask for what is theirs.
    answers: { ...activeMembers, counterpart: 409, owner: 403 },
  },
  'exchanges.revise': {
    input: ({ exchangeId }) => ({ id: exchangeId, message: 'How about now?' }),
    answers: { ...all(404), anonymous: 401, counterpart: 200, owner: 403, suspended: 403 },
  },
  'exchanges.setStatus': {
    input: ({ exchangeId }) => ({ id: exchangeId, status: 'accepted' }),
    answers: { ...all(404), anonymous: 401, counterpart: 403, owner: 200, suspended: 403 },
  },

  'bids.list': { input: () => ({}), answers: members },
  'bids.byId': {
    input: ({ bidId }) => ({ id: bidId }),
    answers: { ...all(404), anonymous: 401, counterpart: 200, owner: 200 },
  },
  'bids.place': {
    input: ({ couponId }) => ({ couponId, amount: '12.50' }),
    // The counterpart has bid already; the owner cannot bid on what is theirs.
    answers: { ...activeMembers, counterpart: 409, owner: 403 },
  },
  'bids.setStatus': {
    input: ({ bidId }) => ({ id: bidId, status: 'accepted' }),
    answers: { ...all(404), anonymous: 401, counterpart: 403, owner: 200, suspended: 403 },
  },

  'notifications.list': { input: () => ({}), answers: members },
  'notifications.unreadCount': { input: nothing, answers: members },
  'notifications.markRead': {
    input: ({ notificationId }) => ({ id: notificationId }),
    answers: { ...all(404), anonymous: 401, owner: 200 },
  },
  'notifications.markAllRead': { input: nothing, answers: members },
  'notifications.transactionLogs': { input: () => ({}), answers: members },

  // No provider is set up here: who may act is told so.
  'sellers.accountStatus': { input: nothing, answers: members },
  'sellers.createAccountLink': { input: nothing, answers: { ...all(503), anonymous: 401, suspended: 403 } },
  'sellers.paypalStatus': { input: nothing, answers: members },
  'sellers.createPaypalOnboardingLink': {
    input: nothing,
    answers: { ...all(503), anonymous: 401, suspended: 403 },
  },
  'sellers.readiness': { input: nothing, answers: members },

  'payments.client': { input: nothing, answers: all(200) },
  'payments.checkout': { input: ({ acceptedBidId }) => ({ bidId: acceptedBidId }), answers: payers },
  'payments.createIntent': { input: ({ acceptedBidId }) => ({ bidId: acceptedBidId }), answers: payers },
  'payments.payWithCard': {
    input: ({ acceptedBidId, cardId }) => ({ bidId: acceptedBidId, paymentMethodId: cardId }),
    answers: payers,
  },
  'payments.createPaypalOrder': { input: ({ acceptedBidId }) => ({ bidId: acceptedBidId }), answers: payers },
  'payments.capturePaypalOrder': {
    input: ({ acceptedBidId }) => ({ bidId: acceptedBidId }),
    answers: payers,
  },
  'payments.refresh': {
    input: ({ sale }) => ({ bidId: sale.bidId }),
    answers: { ...all(404), anonymous: 401, counterpart: 200, owner: 200 },
  },
  'payments.confirmReceipt': { input: ({ sale }) => ({ bidId: sale.bidId }), answers: buyers(200) },
  'payments.openClaim': {
    input: ({ sale }) => ({ bidId: sale.bidId, reason: 'The till did not take it.' }),
    answers: buyers(200),
  },
  // There is none to take back.
  'payments.withdrawClaim': { input: ({ sale }) => ({ bidId: sale.bidId }), answers: buyers(409) },
  'payments.claims': { input: () => ({}), answers: moderators },
  'payments.decideClaim': {
    input: ({ claimed }) => ({ id: claimed.claimId, decision: 'release', note: 'The code works here.' }),
    answers: moderators,
  },
  'payments.paymentMethods': { input: nothing, answers: members },
  'payments.removePaymentMethod': {
    input: ({ cardId }) => ({ id: cardId }),
    answers: { ...all(404), anonymous: 401, owner: 200 },
  },
  'payments.setDefaultPaymentMethod': {
    input: ({ cardId }) => ({ id: cardId }),
    answers: { ...all(404), anonymous: 401, owner: 200 },
  },
  'payments.receiveEvent': {
    input: () => ({ provider: 'stripe', body: '{}', headers: {} }),
    // No provider is set up here.
    answers: all(404),
  },

  'admin.stats': { input: nothing, answers: admins },
  'admin.platformFees': { input: () => ({ period: 'week' }), answers: admins },
  'admin.platformFeeLogs': { input: () => ({}), answers: admins },
};

const procedures = appRouter._def.procedures as unknown as Record<
  string,
  { _def: { type: 'query' | 'mutation' } }
>;

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
  await insertFeedOffer(test.ctx, { merchant: 'Harbour Books', code: 'READ10' });
});
afterAll(() => test.close());

const secretOf = (couponId: number) => `ZQX7${couponId}-HUSH-HUSH-HUSH`;

/** Seven people, their coupons, and the counterpart's pending request for the owner's coupon and bid on it. */
async function createWorld(): Promise<World> {
  const { ctx } = test;
  const counterpart = await createUser(ctx);
  const owner = await createUser(ctx);
  const people: Record<Person, Actor | null> = {
    anonymous: null,
    stranger: await createUser(ctx),
    counterpart,
    owner,
    moderator: await createUser(ctx, { role: 'moderator' }),
    admin: await createUser(ctx, { role: 'admin' }),
    suspended: await createUser(ctx, { status: 'suspended' }),
  };
  const makeCoupon = (owner: Actor) => createCoupon(ctx, owner, { code: secretOf(++counter) });
  const ownCouponIds = { anonymous: 1 } as Record<Person, number>;
  for (const person of PEOPLE) {
    const actor = people[person];
    if (actor) ownCouponIds[person] = (await makeCoupon(actor)).id;
  }
  const proposed = await test.trpc(people.counterpart, 'mutation', 'exchanges.propose', {
    requestedCouponId: ownCouponIds.owner,
    offeredCouponId: ownCouponIds.counterpart,
    message: 'Fancy a swap?',
  });
  const placed = await test.trpc(people.counterpart, 'mutation', 'bids.place', {
    couponId: ownCouponIds.owner,
    amount: '10',
    message: 'Or for money?',
  });
  const { id: notificationId } = await ctx.db
    .selectFrom('notifications')
    .select('id')
    .where('userId', '=', people.owner?.id ?? 0)
    .executeTakeFirstOrThrow();
  return {
    people,
    couponId: ownCouponIds.owner,
    ownCouponIds,
    exchangeId: proposed.json().result.data.id,
    bidId: placed.json().result.data.id,
    notificationId,
    acceptedBidId: await insertAcceptedBid(ctx, counterpart, owner),
    sale: await insertHeldSale(ctx, counterpart, owner),
    claimed: await insertHeldSale(ctx, counterpart, owner, { withClaim: true }),
    cardId: await insertCard(ctx, owner),
    imageId: (await insertImage(ctx, owner)).id,
  };
}

/** The REST request that a procedure's input makes. */
function toRequest(call: RestCall, input: unknown): TestCall {
  const fields = new Map(Object.entries((input ?? {}) as Record<string, unknown>));
  const url = call.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(fields.get(name));
    fields.delete(name);
    return value;
  });
  if (call.method === 'GET') {
    const query = new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]));
    return { method: 'GET', url: fields.size > 0 ? `${url}?${query}` : url };
  }
  return { method: call.method, url, ...(fields.size > 0 && { body: Object.fromEntries(fields) }) };
}

const REFUSAL = { error: expect.any(String), code: expect.any(String) };

describe('access', () => {
  it('has a row for every procedure, and none for what is not there', () => {
    expect(Object.keys(ACCESS).sort()).toEqual(Object.keys(procedures).sort());
  });

  describe.each(Object.entries(ACCESS))('%s', (path, row) => {
    const type = procedures[path]?._def.type ?? 'query';
    let shared: Promise<World> | undefined;
    /** What changes the world gets one of its own; reading it and being refused leave it as it is. */
    const worldFor = (person: Person): Promise<World> => {
      if (type === 'mutation' && row.answers[person] < 400) return createWorld();
      shared ??= createWorld();
      return shared;
    };

    it.each(PEOPLE)('by tRPC: %s', async (person) => {
      const world = await worldFor(person);
      const answer = await test.trpc(world.people[person], type, path, row.input(world, person));
      expect(answer.statusCode, answer.body).toBe(row.answers[person]);
      expectNoSecrets(path, person, answer);
      if (answer.statusCode >= 400) expect(answer.json().error.data.wire).toMatchObject(REFUSAL);
    });

    const call = REST_CALLS.find(({ procedure }) => procedure === path);
    if (!call) return;
    it.each(PEOPLE)(`by ${call.method} ${call.path}: %s`, async (person) => {
      const world = await worldFor(person);
      const answer = await test.call(world.people[person], toRequest(call, row.input(world, person)));
      const success = row.answers[person] === 200 ? call.status : row.answers[person];
      expect(answer.statusCode, answer.body).toBe(success);
      expectNoSecrets(path, person, answer);
      if (answer.statusCode >= 400) expect(answer.json()).toMatchObject(REFUSAL);
    });
  });
});

/** A whole code leaves through reveal, to its owner, and nowhere else. */
function expectNoSecrets(path: string, person: Person, answer: { headers: unknown; body: string }) {
  const bytes = JSON.stringify(answer.headers) + answer.body;
  if (path === 'coupons.reveal' && person === 'owner') expect(bytes).toContain('-HUSH-HUSH-HUSH');
  else expect(bytes).not.toContain('HUSH-HUSH');
}
