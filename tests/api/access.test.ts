import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { type RateLimiter, unlimited } from '#server/core/rate-limit.ts';
import { startSession } from '#server/people/sessions/sessions.ts';
import { REST_CALLS } from '#server/rest/table.ts';
import { appRouter } from '#server/router.ts';
import { neededScopes } from '#server/trpc/scopes.ts';
import { createApiKey, scopesFor } from '#tests/support/api-keys.ts';
import { OUR_PAGE, setUpApp } from '#tests/support/app.ts';
import { createCoupon, createIdentity, createPasskey, createUser } from '#tests/support/builders.ts';
import { insertLegClaim } from '#tests/support/claims.ts';
import { insertImage } from '#tests/support/images.ts';
import { insertMatch } from '#tests/support/matches.ts';
import { insertFeedOffer } from '#tests/support/offers.ts';
import { insertReport } from '#tests/support/reports.ts';
import { insertAcceptedBid, insertCard, insertHeldSale } from '#tests/support/sales.ts';
import { type AccessRow, PEOPLE, type Person, type World } from './access-people.ts';
import { ACCESS } from './access-table.ts';
import { UNCOUNTED } from './limits-table.ts';
import { requestOf } from './rest-requests.ts';
import { aWebhook } from './webhook-inputs.ts';

/** Checks the answer of every call, by tRPC and by REST, to seven kinds of people: see access-table.ts. */

/** Both APIs call the same procedures: for REST one person with access and one without are enough. */
function oneOfEach(answers: Record<Person, number>): Person[] {
  const allowed = PEOPLE.find((person) => answers[person] < 400);
  const refused = PEOPLE.findLast((person) => answers[person] >= 400);
  return [allowed, refused].filter((person) => person !== undefined);
}

const procedures = appRouter._def.procedures as unknown as Record<
  string,
  { _def: { type: 'query' | 'mutation' | 'subscription' } }
>;
const isCall = (path: string) => procedures[path]?._def.type !== 'subscription';

/** The limits that the calls of the people who may make them have counted against, by call. */
const counted: Record<string, Set<string>> = {};
let counting = new Set<string>();
const limiter: RateLimiter = {
  ...unlimited,
  consume: async ({ name }) => {
    counting.add(name);
    return 0;
  },
};

const test = setUpApp({ limiter });
beforeAll(async () => {
  await insertFeedOffer(test.ctx, { merchant: 'Harbour Books', code: 'READ10' });
});

/** For queries and refusals, which change nothing; a successful mutation gets a world of its own. */
let shared: World;
beforeAll(async () => {
  shared = await createWorld(() => true);
});

/** @returns whether an input names a part of the world */
function partsOf(input: AccessRow[1], person: Person): (part: keyof World) => boolean {
  const parts = new Set<unknown>();
  input?.(
    new Proxy(shared, {
      get(world, part) {
        parts.add(part);
        return Reflect.get(world, part);
      },
    }),
    person,
  );
  return (part) => parts.has(part);
}

let counter = 0;
const NO_SALE = { bidId: 0, paymentId: 0, claimId: null };
const secretOf = (couponId: number) => `ZQX7${couponId}-HUSH-HUSH-HUSH`;

/**
 * Seven people and, of what the calls refer to, the parts that are needed; 0 stands for the others. The exchange and the
 * bid are the counterpart's, pending, for the owner's coupon.
 */
async function createWorld(isNeeded: (part: keyof World) => boolean): Promise<World> {
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
  const couponOwners = isNeeded('ownCouponIds') ? PEOPLE : (['counterpart', 'owner'] as const);
  for (const person of couponOwners) {
    const actor = people[person];
    if (actor) ownCouponIds[person] = (await makeCoupon(actor)).id;
  }
  const make = async <Part>(part: keyof World, create: () => Promise<Part>, none: Part): Promise<Part> =>
    isNeeded(part) ? create() : none;
  /** The id of what somebody, by default the counterpart, creates over tRPC. */
  const createOverTrpc = async (path: string, input: object, who = counterpart): Promise<number> =>
    (await test.trpc(who, 'mutation', path, input)).json().result.data.id;
  const propose = () =>
    createOverTrpc('exchanges.propose', {
      requestedCouponId: ownCouponIds.owner,
      offeredCouponId: ownCouponIds.counterpart,
      message: 'Fancy a swap?',
    });
  const bid = () =>
    createOverTrpc('bids.place', {
      couponId: ownCouponIds.owner,
      amount: '10',
      message: 'Or for money?',
    });
  const firstOf = async (table: 'notifications' | 'sessions', column: 'id' | 'number') => {
    const { rows } = await test.database.pool.query(
      `select ${column} as id from ${table} where user_id = $1 limit 1`,
      [owner.id],
    );
    return Number(rows[0]?.id);
  };
  const offerOfFeed = async () => {
    const { rows } = await test.database.pool.query('select min(id) as id from feed_offers');
    return Number(rows[0]?.id);
  };
  const exchangeId = await make(isNeeded('notificationId') ? 'notificationId' : 'exchangeId', propose, 0);
  return {
    people,
    offerId: await make('offerId', offerOfFeed, 0),
    passkeyId: await createPasskey(ctx, owner),
    keyId: (await createApiKey(ctx, owner)).id,
    identityId: await createIdentity(ctx, owner),
    couponId: ownCouponIds.owner,
    ownCouponIds,
    exchangeId,
    bidId: await make('bidId', bid, 0),
    notificationId: await make('notificationId', () => firstOf('notifications', 'id'), 0),
    ownerSessionId: await make(
      'ownerSessionId',
      async () => {
        await startSession(ctx.db, ctx.clock, owner.id);
        return firstOf('sessions', 'number');
      },
      0,
    ),
    acceptedBidId: await make('acceptedBidId', () => insertAcceptedBid(ctx, counterpart, owner), 0),
    sale: await make('sale', () => insertHeldSale(ctx, counterpart, owner), NO_SALE),
    claimed: await make(
      'claimed',
      () => insertHeldSale(ctx, counterpart, owner, { withClaim: true }),
      NO_SALE,
    ),
    legClaimId: await make('legClaimId', () => insertLegClaim(ctx, counterpart, owner), 0),
    evidenceId: await make(
      'evidenceId',
      async () => {
        const { id, url } = await insertImage(ctx, counterpart, { kind: 'evidence' });
        await insertLegClaim(ctx, counterpart, owner, [url]);
        return id;
      },
      '',
    ),
    cardId: await make('cardId', () => insertCard(ctx, owner), 0),
    wantId: await make('wantId', () => createOverTrpc('wants.create', { search: 'tea' }, owner), 0),
    webhookId: await make('webhookId', () => createOverTrpc('webhooks.create', aWebhook, owner), 0),
    matchId: await make('matchId', async () => (await insertMatch(ctx, [owner, counterpart])).id, 0),
    imageId: await make('imageId', async () => (await insertImage(ctx, owner)).id, ''),
    reportId: await make('reportId', () => insertReport(ctx, counterpart, stranger), 0),
  };
}

const REFUSAL = { error: expect.any(String), code: expect.any(String) };

describe('access', () => {
  it('has a row for every procedure, and none for what is not there [spec/1 6.1]', () => {
    const paths = Object.keys(ACCESS).map((name) => name.split(' ')[0]);
    expect([...new Set(paths)].sort()).toEqual(Object.keys(procedures).filter(isCall).sort());
  });

  it('knows every line that stays open: who may follow it is tested in live.test.ts', () => {
    expect(Object.keys(procedures).filter((path) => !isCall(path))).toEqual(['live.events']);
  });

  describe.each(Object.entries(ACCESS))('%s', (name, [answers, input]) => {
    const [path = '', constant] = name.split(' ');
    const type = procedures[path]?._def.type === 'mutation' ? 'mutation' : 'query';
    const worldFor = async (person: Person): Promise<World> =>
      type === 'mutation' && answers[person] < 400 ? createWorld(partsOf(input, person)) : shared;

    it.each(PEOPLE)('by tRPC: %s [spec/1 1.1]', async (person) => {
      const world = await worldFor(person);
      counting = new Set();
      const answer = await test.trpc(world.people[person], type, path, input?.(world, person));
      if (type === 'mutation') counted[path] = new Set([...(counted[path] ?? []), ...counting]);
      expect(answer.statusCode, answer.body).toBe(answers[person]);
      expectNoSecrets(path, person, answer);
      if (answer.statusCode >= 400) expect(answer.json().error.data.wire).toMatchObject(REFUSAL);
    });

    /** A key of somebody who may make the call, if somebody may, otherwise of the owner. */
    const holder =
      (['owner', 'counterpart', 'stranger', 'moderator', 'admin'] as const).find(
        (person) => answers[person] < 400,
      ) ?? 'owner';
    const needed = neededScopes(path, type);
    const callWithKey = async (world: World, left: string | undefined) => {
      const person = world.people[holder];
      if (!person) throw new Error(`There is no ${holder}`);
      const scopes = scopesFor(person).filter((scope) => scope !== left);
      const { header } = await createApiKey(test.ctx, person, { scopes });
      return test.trpc(null, type, path, input?.(world, holder), header);
    };

    it(`by a key of all scopes: ${needed === null ? 'nobody' : holder}`, async () => {
      const answer = await callWithKey(await worldFor(needed === null ? 'anonymous' : holder), undefined);
      expect(answer.statusCode, answer.body).toBe(needed === null ? 403 : answers[holder]);
      expectNoSecrets(path, holder, answer);
      expect(answer.cookies).toEqual([]);
    });

    it.each(needed ?? [])('by a key without the scope %s: nobody', async (scope) => {
      const answer = await callWithKey(shared, scope);
      expect(answer.statusCode, answer.body).toBe(403);
      expect(answer.json().error.data.wire.error).toContain(`Make a key with`);
    });

    // Some have two paths. A GET that changes something is for our own pages alone: see sitemap.test.ts.
    const calls = REST_CALLS.filter(
      (call) => call.procedure === path && !call.changesState && Object.values(call.input)[0] === constant,
    );
    for (const call of calls) {
      it.each(oneOfEach(answers))(
        `by ${call.method} ${call.path}: %s [spec/1 7.10] [spec/2 7.3 7.10]`,
        async (person) => {
          const world = await worldFor(person);
          const request = { ...requestOf(call, input?.(world, person)), headers: OUR_PAGE };
          const answer = await test.call(world.people[person], request);
          const success = answers[person] === 200 ? call.status : answers[person];
          expect(answer.statusCode, answer.body).toBe(success);
          expectNoSecrets(path, person, answer);
        },
      );
    }
  });
});

it('every mutation counts against a limit, or needs none', () => {
  const uncounted = Object.entries(counted).filter(([, limits]) => limits.size === 0);
  expect(uncounted.map(([path]) => path).sort()).toEqual(UNCOUNTED);
});

/** A whole code leaves by two calls, to its owner, and nowhere else. */
function expectNoSecrets(path: string, person: Person, answer: { headers: unknown; body: string }) {
  const bytes = JSON.stringify(answer.headers) + answer.body;
  if (['coupons.reveal', 'coupons.keepCodes'].includes(path) && person === 'owner')
    expect(bytes).toContain('-HUSH-HUSH-HUSH');
  else expect(bytes).not.toContain('HUSH-HUSH');
}
