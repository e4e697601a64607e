import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/domains/context.ts';
import { startSession } from '#server/domains/sessions/service.ts';
import { REST_CALLS, type RestCall } from '#server/rest/table.ts';
import { createTestApp, type TestApp, type TestCall } from '#server/testing/app.ts';
import { createCoupon, createUser, TEST_PASSWORD } from '#server/testing/builders.ts';
import { insertImage } from '#server/testing/images.ts';
import { insertFeedOffer } from '#server/testing/offers.ts';
import { insertReport } from '#server/testing/reports.ts';
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
  /** A browser in which the owner is signed in. */
  readonly ownerSessionId: number;
  /** The counterpart is the buyer, the owner the seller. */
  readonly acceptedBidId: number;
  readonly sale: TestSale;
  readonly claimed: TestSale;
  /** The owner's. */
  readonly cardId: number;
  /** A picture that the owner has uploaded for no coupon yet. */
  readonly imageId: string;
  /** The counterpart's, on the stranger. */
  readonly reportId: number;
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

/** Both doors ask the same procedures: over REST one who is let in and one who is not will do. */
function oneOfEach({ answers }: Row): Person[] {
  const allowed = PEOPLE.find((person) => answers[person] < 400);
  const refused = PEOPLE.findLast((person) => answers[person] >= 400);
  return [allowed, refused].filter((person) => person !== undefined);
}

let counter = 0;
const nothing = () => undefined;

/** A row a procedure; `'messages.list bid'` is a second one, for the REST lines with this constant in their input. */
const ACCESS: Record<string, Row> = {
  'accounts.me': { input: nothing, answers: all(200) },
  'accounts.currentUser': { input: nothing, answers: members },
  'accounts.register': { input: () => registration(`newcomer-${++counter}`), answers: all(200) },
  'accounts.login': { input: () => ({ username: 'nobody-here', password: 'wrong' }), answers: all(401) },
  'accounts.logout': { input: nothing, answers: all(200) },
  'accounts.demoPeople': { input: nothing, answers: all(200) },
  'accounts.sendVerification': { input: nothing, answers: members },
  // Whoever has no such link.
  'accounts.verifyEmail': { input: () => ({ token: 'A'.repeat(43) }), answers: all(400) },
  'accounts.requestPasswordReset': { input: () => ({ email: 'owner@example.org' }), answers: all(200) },
  'accounts.resetPassword': {
    input: () => ({ token: 'A'.repeat(43), newPassword: 'Aa1-meadow', confirmPassword: 'Aa1-meadow' }),
    answers: all(400),
  },
  'accounts.updateProfile': {
    input: (_, person) => ({
      email: `${person}-${++counter}@example.org`,
      preferredCurrency: 'EUR',
      country: 'Japan',
    }),
    answers: activeMembers,
  },
  'accounts.changePassword': {
    input: () => ({
      currentPassword: TEST_PASSWORD,
      newPassword: 'Aa1-meadow',
      confirmPassword: 'Aa1-meadow',
    }),
    answers: activeMembers,
  },
  'accounts.sessions': { input: nothing, answers: members },
  'accounts.endSession': {
    input: ({ ownerSessionId }) => ({ id: ownerSessionId }),
    answers: { ...all(404), anonymous: 401, owner: 200 },
  },
  'accounts.endOtherSessions': { input: nothing, answers: members },

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

  'messages.conversations': { input: () => ({}), answers: members },
  'messages.conversation': {
    input: ({ exchangeId }) => ({ dealType: 'exchange', dealId: exchangeId }),
    answers: { ...all(404), anonymous: 401, counterpart: 200, owner: 200 },
  },
  'messages.list exchange': {
    input: ({ exchangeId }) => ({ dealType: 'exchange', dealId: exchangeId }),
    answers: { ...all(404), anonymous: 401, counterpart: 200, owner: 200 },
  },
  'messages.list bid': {
    input: ({ bidId }) => ({ dealType: 'bid', dealId: bidId }),
    answers: { ...all(404), anonymous: 401, counterpart: 200, owner: 200 },
  },
  'messages.send exchange': {
    input: ({ exchangeId }) => ({ dealType: 'exchange', dealId: exchangeId, content: 'Is it still good?' }),
    answers: { ...all(404), anonymous: 401, counterpart: 200, owner: 200, suspended: 403 },
  },
  'messages.send bid': {
    input: ({ bidId }) => ({ dealType: 'bid', dealId: bidId, content: 'Is it still good?' }),
    answers: { ...all(404), anonymous: 401, counterpart: 200, owner: 200, suspended: 403 },
  },
  'messages.markRead exchange': {
    input: ({ exchangeId }) => ({ dealType: 'exchange', dealId: exchangeId }),
    answers: { ...all(404), anonymous: 401, counterpart: 200, owner: 200 },
  },
  'messages.markRead bid': {
    input: ({ bidId }) => ({ dealType: 'bid', dealId: bidId }),
    answers: { ...all(404), anonymous: 401, counterpart: 200, owner: 200 },
  },
  'messages.unreadCount': { input: nothing, answers: members },

  'notifications.list': { input: () => ({}), answers: members },
  'notifications.unreadCount': { input: nothing, answers: members },
  'notifications.markRead': {
    input: ({ notificationId }) => ({ id: notificationId }),
    answers: { ...all(404), anonymous: 401, owner: 200 },
  },
  'notifications.markAllRead': { input: nothing, answers: members },
  'notifications.transactionLogs': { input: () => ({}), answers: members },
  'notifications.preferences': { input: nothing, answers: members },
  'notifications.setPreference': {
    input: () => ({ type: 'message', inApp: true, mail: false }),
    answers: members,
  },
  // Who holds the link need not be signed in; this one is not ours.
  'notifications.unsubscribe': { input: () => ({ token: '1.message.none' }), answers: all(400) },

  // No provider is set up here: who may act is told so.
  'sellers.accountStatus': { input: nothing, answers: members },
  'sellers.createAccountLink': { input: nothing, answers: { ...all(503), anonymous: 401, suspended: 403 } },
  'sellers.paypalStatus': { input: nothing, answers: members },
  'sellers.createPaypalOnboardingLink': {
    input: nothing,
    answers: { ...all(503), anonymous: 401, suspended: 403 },
  },
  'sellers.readiness': { input: nothing, answers: members },

  'ratings.create': {
    input: ({ sale }) => ({ dealType: 'bid', dealId: sale.bidId, rating: 8, comment: 'Quick and kind.' }),
    answers: { ...all(404), anonymous: 401, counterpart: 200, owner: 200, suspended: 403 },
  },
  'ratings.ofDeal': {
    input: ({ sale }) => ({ dealType: 'bid', dealId: sale.bidId }),
    answers: { ...all(404), anonymous: 401, counterpart: 200, owner: 200 },
  },
  'ratings.ofUser': { input: ({ people }) => ({ id: people.owner?.id }), answers: all(200) },
  'leaderboard.list': { input: () => ({ category: 'bids' }), answers: all(200) },
  'leaderboard.mine': { input: () => ({ category: 'bids' }), answers: members },
  'profiles.byId': { input: ({ people }) => ({ id: people.suspended?.id }), answers: all(200) },
  'profiles.stats': { input: nothing, answers: members },

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

  'seo.parts': { input: nothing, answers: all(200) },
  'seo.couponUrls': { input: () => ({ part: 0 }), answers: all(200) },

  'moderation.report': {
    input: ({ people }) => ({ reportedUserId: people.owner?.id, description: 'The code did not work.' }),
    // Nobody reports themself.
    answers: { ...activeMembers, owner: 403 },
  },
  'moderation.reports': { input: () => ({}), answers: moderators },
  'moderation.review': {
    input: ({ reportId }) => ({ id: reportId, action: 'warn', notes: 'Please do not.' }),
    answers: moderators,
  },
  'accounts.deleteAccount': {
    input: () => ({ confirmPassword: TEST_PASSWORD }),
    // The counterpart and the owner have a deal to finish.
    answers: { ...members, counterpart: 409, owner: 409 },
  },

  'admin.users': { input: () => ({ search: 'person' }), answers: admins },
  'admin.setUserStatus': {
    input: ({ people }) => ({ id: people.stranger?.id, status: 'suspended', reason: 'It was too much.' }),
    answers: admins,
  },
  'admin.auditLog': { input: () => ({}), answers: admins },
  'admin.weeklyFees': { input: () => ({}), answers: admins },
  'admin.feeRows': { input: () => ({}), answers: admins },
  'admin.health': { input: nothing, answers: admins },
  'admin.stats': { input: nothing, answers: admins },
  'admin.platformFees': { input: () => ({ period: 'week' }), answers: admins },
  'admin.platformFeeLogs': { input: () => ({}), answers: admins },
  // No engine is set up here, which is what the answer says.
  'admin.submitSitemap': { input: nothing, answers: admins },
};

const procedures = appRouter._def.procedures as unknown as Record<
  string,
  { _def: { type: 'query' | 'mutation' | 'subscription' } }
>;
const isCall = (path: string) => procedures[path]?._def.type !== 'subscription';

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
  const stranger = await createUser(ctx);
  const people: Record<Person, Actor | null> = {
    anonymous: null,
    stranger,
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
  await startSession(ctx.db, ctx.clock, owner.id);
  const { number: ownerSessionId } = await ctx.db
    .selectFrom('sessions')
    .select('number')
    .where('userId', '=', owner.id)
    .executeTakeFirstOrThrow();
  return {
    people,
    couponId: ownCouponIds.owner,
    ownCouponIds,
    exchangeId: proposed.json().result.data.id,
    bidId: placed.json().result.data.id,
    notificationId,
    ownerSessionId,
    acceptedBidId: await insertAcceptedBid(ctx, counterpart, owner),
    sale: await insertHeldSale(ctx, counterpart, owner),
    claimed: await insertHeldSale(ctx, counterpart, owner, { withClaim: true }),
    cardId: await insertCard(ctx, owner),
    imageId: (await insertImage(ctx, owner)).id,
    reportId: await insertReport(ctx, counterpart, stranger),
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
  for (const name of Object.keys(call.input)) fields.delete(name);
  if (call.method === 'GET') {
    const query = new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]));
    return { method: 'GET', url: fields.size > 0 ? `${url}?${query}` : url };
  }
  return { method: call.method, url, ...(fields.size > 0 && { body: Object.fromEntries(fields) }) };
}

const REFUSAL = { error: expect.any(String), code: expect.any(String) };

describe('access', () => {
  it('has a row for every procedure, and none for what is not there', () => {
    const paths = Object.keys(ACCESS).map((name) => name.split(' ')[0]);
    expect([...new Set(paths)].sort()).toEqual(Object.keys(procedures).filter(isCall).sort());
  });

  it('knows every line that stays open: who may follow it is tested in live.test.ts', () => {
    expect(Object.keys(procedures).filter((path) => !isCall(path))).toEqual(['live.events']);
  });

  describe.each(Object.entries(ACCESS))('%s', (name, row) => {
    const [path = '', constant] = name.split(' ');
    const type = procedures[path]?._def.type === 'mutation' ? 'mutation' : 'query';
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

    // Some have two paths. A GET that changes something is for our own pages alone: see sitemap.test.ts.
    const calls = REST_CALLS.filter(
      ({ procedure, changesState, input }) =>
        procedure === path && !changesState && Object.values(input)[0] === constant,
    );
    for (const call of calls) {
      it.each(oneOfEach(row))(`by ${call.method} ${call.path}: %s`, async (person) => {
        const world = await worldFor(person);
        const answer = await test.call(world.people[person], toRequest(call, row.input(world, person)));
        const success = row.answers[person] === 200 ? call.status : row.answers[person];
        expect(answer.statusCode, answer.body).toBe(success);
        expectNoSecrets(path, person, answer);
        if (answer.statusCode >= 400) expect(answer.json()).toMatchObject(REFUSAL);
      });
    }
  });
});

/** A whole code leaves through reveal, to its owner, and nowhere else. */
function expectNoSecrets(path: string, person: Person, answer: { headers: unknown; body: string }) {
  const bytes = JSON.stringify(answer.headers) + answer.body;
  if (path === 'coupons.reveal' && person === 'owner') expect(bytes).toContain('-HUSH-HUSH-HUSH');
  else expect(bytes).not.toContain('HUSH-HUSH');
}
