import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/domains/context.ts';
import { startSession } from '#server/domains/sessions/service.ts';
import { REST_CALLS, type RestCall } from '#server/rest/table.ts';
import { setUpApp, type TestCall } from '#server/testing/app.ts';
import { createCoupon, createPasskey, createUser } from '#server/testing/builders.ts';
import { insertImage } from '#server/testing/images.ts';
import { insertFeedOffer } from '#server/testing/offers.ts';
import { insertReport } from '#server/testing/reports.ts';
import { insertAcceptedBid, insertCard, insertHeldSale } from '#server/testing/sales.ts';
import { appRouter } from '#server/trpc/root.ts';
import { ACCESS, PEOPLE, type Person, type World } from './access-table.ts';

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

const test = setUpApp();
beforeAll(async () => {
  await insertFeedOffer(test.ctx, { merchant: 'Harbour Books', code: 'READ10' });
});

/** For queries and refusals, which change nothing; a successful mutation gets a world of its own. */
let shared: World;
beforeAll(async () => {
  shared = await createWorld();
});

let counter = 0;
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
    passkeyId: await createPasskey(ctx, owner),
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

  describe.each(Object.entries(ACCESS))('%s', (name, [answers, input]) => {
    const [path = '', constant] = name.split(' ');
    const type = procedures[path]?._def.type === 'mutation' ? 'mutation' : 'query';
    const worldFor = async (person: Person): Promise<World> =>
      type === 'mutation' && answers[person] < 400 ? createWorld() : shared;

    it.each(PEOPLE)('by tRPC: %s', async (person) => {
      const world = await worldFor(person);
      const answer = await test.trpc(world.people[person], type, path, input?.(world, person));
      expect(answer.statusCode, answer.body).toBe(answers[person]);
      expectNoSecrets(path, person, answer);
      if (answer.statusCode >= 400) expect(answer.json().error.data.wire).toMatchObject(REFUSAL);
    });

    // Some have two paths. A GET that changes something is for our own pages alone: see sitemap.test.ts.
    const calls = REST_CALLS.filter(
      (call) => call.procedure === path && !call.changesState && Object.values(call.input)[0] === constant,
    );
    for (const call of calls) {
      it.each(oneOfEach(answers))(`by ${call.method} ${call.path}: %s`, async (person) => {
        const world = await worldFor(person);
        const answer = await test.call(world.people[person], toRequest(call, input?.(world, person)));
        const success = answers[person] === 200 ? call.status : answers[person];
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
