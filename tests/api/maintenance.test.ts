import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { DEADLINE_JOBS } from '#server/jobs/deadlines.ts';
import { appRouter } from '#server/router.ts';
import { configNow } from '#server/trpc/context.ts';
import { DURING_MAINTENANCE } from '#server/trpc/maintenance.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { bidStatusOf, CARDS, setUpMarket } from '#tests/support/payments.ts';
import { uploadFile } from './upload-forms.ts';

const test = setUpMarket();
const UNTIL = '2035-06-15T14:00:00.000Z';
const TEXT = { en: 'We move to a larger server.', fr: 'Nous changeons de serveur.' };

let member: Actor;
let admin: Actor;
beforeAll(async () => {
  member = await createUser(test.ctx);
  admin = await createUser(test.ctx, { role: 'admin' });
  await switchTo({ text: TEXT, until: UNTIL });
});

async function switchTo(value: object | null) {
  const before = await test.trpc(admin, 'query', 'settings.list');
  const follows = before.json().result.data.maintenance.change?.id ?? null;
  const answer = await test.trpc(admin, 'mutation', 'settings.change', {
    name: 'maintenance',
    value,
    follows,
  });
  expect(answer.statusCode).toBe(200);
}

const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
const MUTATIONS = Object.keys(procedures).filter((path) => procedures[path]?._def.type === 'mutation');

describe('during maintenance', () => {
  it.each(MUTATIONS)(
    '%s is refused for members and visitors, or has a reason why it is not',
    async (path) => {
      for (const who of [member, null]) {
        const answer = await test.trpc(who, 'mutation', path, {});
        const isRefused = answer.json().error?.data?.wire?.code === 'maintenance';
        expect(isRefused, path).toBe(!(path in DURING_MAINTENANCE));
      }
    },
  );

  it('has reasons only for calls that there are', () => {
    expect(Object.keys(DURING_MAINTENANCE).filter((path) => !MUTATIONS.includes(path))).toEqual([]);
  });

  it('a refusal says until when and that nothing is lost, in the language of the caller', async () => {
    const save = async (headers = {}) =>
      test.trpc(member, 'mutation', 'coupons.save', { couponId: 1 }, headers);
    const refused = await save();
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '7200']);
    expect(refused.json().error.data.wire).toEqual({
      code: 'maintenance',
      error:
        'We move to a larger server. Nothing can be changed until about 14:00 UTC, Jun 15, 2035, and nothing is lost. Please try again then.',
    });
    const french = await save({ 'accept-language': 'fr' });
    expect(french.json().error.data.wire.error).toMatch(/^Nous changeons de serveur\./);
    // It takes longer than expected.
    test.ctx.clock.advanceDays(2 / 24);
    const late = await save();
    expect([late.statusCode, late.headers['retry-after']]).toEqual([503, '600']);
    expect(late.json().error.data.wire.error).toBe(
      'We move to a larger server. Nothing can be changed for now, and nothing is lost. Please try again later.',
    );
  });

  it('everybody reads, admins change, and the server stays ready', async () => {
    expect((await test.trpc(member, 'query', 'coupons.list', {})).statusCode).toBe(200);
    expect((await test.call(null, { method: 'GET', url: '/readyz' })).statusCode).toBe(200);
    const { id: couponId } = await createCoupon(test.ctx, member);
    expect((await test.trpc(admin, 'mutation', 'coupons.save', { couponId })).statusCode).toBe(200);
  });

  it('a picture is refused at its door', async () => {
    const answer = await uploadFile(test, member, { path: 'picture', file: Buffer.from('none') });
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'maintenance']);
  });

  it('a payment that has begun is finished, and another one cannot begin', async () => {
    await switchTo(null);
    const [begun, later] = [await test.acceptedBid(), await test.acceptedBid()];
    const { clientSecret } = await test.intentOf(begun);
    await switchTo({ text: TEXT, until: null });
    await test.stripe.confirmWithCard(clientSecret, CARDS.good);
    const refresh = await test.trpc(begun.buyer, 'mutation', 'payments.refresh', { bidId: begun.id });
    expect(refresh.statusCode).toBe(200);
    expect(await test.statusOf(begun)).toBe('held');
    const refused = await test.trpc(later.buyer, 'mutation', 'payments.createIntent', { bidId: later.id });
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '600']);
  });

  it('no deadline passes, and people have time afterwards', async () => {
    const { id } = await test.acceptedBid();
    const run = async () => {
      const ctx = { ...test.ctx, config: configNow(test.deps) };
      for (const job of DEADLINE_JOBS) await job.run(ctx, new AbortController().signal);
    };
    const pulse = async (beatAt: Date) =>
      test.ctx.db
        .updateTable('marketPulse')
        .set({ beatAt })
        .execute()
        .then(() => beatAt);
    await switchTo(null);
    await run();
    const began = test.ctx.clock();
    await switchTo({ text: TEXT, until: null });
    test.ctx.clock.advanceDays(4);
    // Even where the market was up all the time, and no outage is to be seen.
    const last = await pulse(test.ctx.clock());
    test.ctx.clock.advanceDays(1 / 24);
    await run();
    expect(await bidStatusOf(test.ctx, { id })).toBe('accepted');
    expect(await test.ctx.db.selectFrom('marketPulse').select('beatAt').execute()).toEqual([
      { beatAt: last },
    ]);
    await pulse(began);
    await switchTo(null);
    await run();
    expect(await bidStatusOf(test.ctx, { id })).toBe('accepted');
    test.ctx.clock.advanceDays(8);
    await run();
    await run();
    expect(await bidStatusOf(test.ctx, { id })).toBe('cancelled');
  });

  it('the API says so, and that it is over', async () => {
    const said = async () => (await test.call(null, { method: 'GET', url: '/api/announcement' })).json();
    await switchTo({ text: TEXT, until: UNTIL });
    expect(await said()).toEqual({ announcement: null, maintenance: { text: TEXT.en, until: UNTIL } });
    await switchTo(null);
    expect(await said()).toEqual({ announcement: null, maintenance: null });
    const { id: couponId } = await createCoupon(test.ctx, admin);
    expect((await test.trpc(member, 'mutation', 'coupons.save', { couponId })).statusCode).toBe(200);
  });
});
