import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FEES_HEADER } from '#contract/base/fees-header.ts';
import { DEFAULT_FEE_RATES, type FeeRates } from '#contract/money/fees.ts';
import {
  type ChangeSettingInput,
  DEFAULT_LIMITS,
  settingHistorySchema,
  settingsSchema,
} from '#contract/people/settings.ts';
import type { Actor } from '#server/context/context.ts';
import { besides, setUpApp, type TestApp } from '#tests/support/app.ts';
import { bidOn } from '#tests/support/bids.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';

const HIGHER: FeeRates = {
  buyer: { basisPoints: 600, minimum: 0 },
  seller: { basisPoints: 700, minimum: 25 },
};
const LOWER: FeeRates = { buyer: { basisPoints: 100, minimum: 0 }, seller: { basisPoints: 100, minimum: 0 } };

const test = setUpApp();
/** A second process over the same database. */
let other: TestApp;
let admin: Actor;
beforeAll(async () => {
  other = await besides(test, { settingsMs: 50 });
  admin = await createUser(test.ctx, { role: 'admin', username: 'nora' });
});
afterAll(() => other.close());

async function fees(app = test) {
  const answer = await app.trpc(admin, 'query', 'settings.list');
  return settingsSchema.parse(answer.json().result.data).feeRates;
}

async function history() {
  const answer = await test.trpc(admin, 'query', 'settings.history', { name: 'feeRates' });
  return settingHistorySchema.parse(answer.json().result.data);
}

/** Changes the fees as somebody who has just looked at them. */
async function change(value: FeeRates | null, follows?: number | null) {
  const seen = follows === undefined ? ((await fees()).change?.id ?? null) : follows;
  const input: ChangeSettingInput = { name: 'feeRates', value, follows: seen };
  return test.trpc(admin, 'mutation', 'settings.change', input);
}

async function auditLines() {
  return test.ctx.db.selectFrom('auditLog').select(['actorId', 'action', 'details']).orderBy('id').execute();
}

describe('a setting', () => {
  it('is the default until an admin changes it, and says who did and when', async () => {
    expect(await fees()).toMatchObject({ value: DEFAULT_FEE_RATES, source: 'default', change: null });
    expect((await change(HIGHER)).statusCode).toBe(200);
    const by = { by: 'nora', at: test.ctx.clock().toISOString() };
    expect(await fees()).toMatchObject({ value: HIGHER, source: 'browser', change: by });
    expect((await auditLines()).at(-1)).toEqual({
      actorId: admin.id,
      action: 'setting_changed',
      details: 'Fees: 5% from each party → 6% from the buyer and 7%, at least $0.25 CAD from the seller',
    });
  });

  it('is undone and done again; each is a change of its own', async () => {
    await change(LOWER);
    const undo = async () => {
      const id = (await fees()).change?.id;
      return (await test.trpc(admin, 'mutation', 'settings.undo', { id })).statusCode;
    };
    expect(await undo()).toBe(200);
    expect((await fees()).value).toEqual(HIGHER);
    expect(await undo()).toBe(200);
    expect((await fees()).value).toEqual(LOWER);
    const [last, before, changed] = await history();
    expect([last?.undoes, before?.undoes, changed?.undoes]).toEqual([before?.id, changed?.id, null]);
    expect((await auditLines()).at(-1)).toMatchObject({ action: 'setting_undone' });
    expect((await test.trpc(admin, 'mutation', 'settings.undo', { id: before?.id })).statusCode).toBe(409);
  });

  it('goes back to the default when its first change is undone, or when it is reset', async () => {
    await change(null);
    expect(await fees()).toMatchObject({ value: DEFAULT_FEE_RATES, source: 'default' });
  });

  it('is not changed by who has not seen the latest change, not even at the same moment', async () => {
    const seen = (await fees()).change?.id ?? null;
    const answers = await Promise.all([change(HIGHER, seen), change(LOWER, seen)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    const late = await change(LOWER, seen);
    expect([late.statusCode, late.json().error.data.wire.error]).toEqual([
      409,
      expect.stringContaining('changed this setting'),
    ]);
  });

  it('needs the second factor of an admin who has one', async () => {
    await test.ctx.db
      .insertInto('secondFactors')
      .values({
        userId: admin.id,
        secret: Buffer.alloc(1),
        createdAt: test.ctx.clock(),
        enabledAt: test.ctx.clock(),
      })
      .execute();
    const refused = await change(LOWER);
    expect([refused.statusCode, refused.json().error.data.wire.code]).toEqual([
      403,
      'second_factor_required',
    ]);
    await test.ctx.db.deleteFrom('secondFactors').execute();
  });

  it('cannot be changed or deleted in the database', async () => {
    const rewrite = test.ctx.db.updateTable('settingChanges').set({ changedBy: null }).execute();
    await expect(rewrite).rejects.toThrow('append-only');
    await expect(test.ctx.db.deleteFrom('settingChanges').execute()).rejects.toThrow('append-only');
  });
});

describe('changed fees', () => {
  /** An accepted bid's fees: the seller accepts in one of the processes. */
  async function acceptedIn(app: TestApp): Promise<unknown> {
    const [buyer, seller] = [await createUser(test.ctx), await createUser(test.ctx)];
    const { id } = await bidOn(test.ctx, buyer, await createCoupon(test.ctx, seller));
    const accept = { method: 'PUT', url: `/api/bids/${id}/status`, body: { status: 'accepted' } } as const;
    return (await app.call(seller, accept)).json().feeRates;
  }

  it('hold for what is accepted afterwards, in this process at once and in others without a restart', async () => {
    await change(HIGHER);
    await vi.waitFor(() => expect(other.deps.settings.current().feeRates).toEqual(HIGHER));
    await change(LOWER);
    expect(await acceptedIn(test)).toEqual(LOWER);
    await vi.waitFor(() => expect(other.deps.settings.current().feeRates).toEqual(LOWER));
    expect(await acceptedIn(other)).toEqual(LOWER);
  });
});

describe('changed limits', () => {
  it('hold for the next call', async () => {
    const limited = await besides(test, { withLimits: true });
    const value = { ...DEFAULT_LIMITS, bids: 5, listings: 6, keyReads: 7 };
    const input = { name: 'limits', value, follows: null };
    expect((await limited.trpc(admin, 'mutation', 'settings.change', input)).statusCode).toBe(200);
    const [buyer, seller] = [await createUser(test.ctx), await createUser(test.ctx)];
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      const { id: couponId } = await createCoupon(test.ctx, seller);
      const bid = { couponId, amount: '5.00' };
      statuses.push((await limited.trpc(buyer, 'mutation', 'bids.place', bid)).statusCode);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    await limited.close();
  });
});

describe('the fees that a page shows', () => {
  it('are those that its acceptance fixes: after a change it has to be loaded again', async () => {
    await change(HIGHER);
    const [buyer, seller] = [await createUser(test.ctx), await createUser(test.ctx)];
    const { id } = await bidOn(test.ctx, buyer, await createCoupon(test.ctx, seller));
    await change(LOWER);
    const accept = (shown: FeeRates) =>
      test.trpc(
        seller,
        'mutation',
        'bids.setStatus',
        { id, status: 'accepted' },
        { [FEES_HEADER]: JSON.stringify(shown) },
      );
    const refused = await accept(HIGHER);
    expect([refused.statusCode, refused.json().error.data.wire.error]).toEqual([
      409,
      expect.stringMatching(/^The fees have changed: 1% from each party\. Load this page again/),
    ]);
    const accepted = await accept(LOWER);
    expect(accepted.json().result.data).toMatchObject({ status: 'accepted', feeRates: LOWER });
  });
});

describe('a stored value that this release does not take', () => {
  it('does not count, keeps nobody from starting, and is shown', async () => {
    const last = (await fees()).change?.id ?? null;
    const row = { name: 'feeRates', value: '{"buyer": 5}', follows: last, changedAt: test.ctx.clock() };
    await test.ctx.db.insertInto('settingChanges').values(row).execute();
    const unknown = { name: 'gone', value: 'true', changedAt: test.ctx.clock() };
    await test.ctx.db.insertInto('settingChanges').values(unknown).execute();
    const next = await besides(test);
    expect(next.deps.settings.current().feeRates).toEqual(DEFAULT_FEE_RATES);
    expect(await fees(next)).toMatchObject({ value: DEFAULT_FEE_RATES, isUnusable: true, source: 'default' });
    const checks = await next.trpc(admin, 'mutation', 'operations.checks', {});
    expect(checks.json().result.data.checks).toContainEqual(
      expect.objectContaining({ id: 'changed-settings', found: expect.stringContaining('feeRates, gone') }),
    );
    await next.close();
    expect((await change(HIGHER)).statusCode).toBe(200);
  });
});

describe('the environment', () => {
  it('comes before what an admin has changed, which cannot be changed then', async () => {
    const locked = await besides(test, {
      config: { feeRates: LOWER, setIn: { environment: ['SELLER_FEE_PERCENT'], folder: [] } },
    });
    expect(await fees(locked)).toMatchObject({
      value: LOWER,
      source: 'environment',
      variables: ['SELLER_FEE_PERCENT'],
    });
    const follows = (await fees()).change?.id;
    const refused = await locked.trpc(admin, 'mutation', 'settings.change', {
      name: 'feeRates',
      value: HIGHER,
      follows,
    });
    expect([refused.statusCode, refused.json().error.data.wire.error]).toEqual([
      409,
      'SELLER_FEE_PERCENT in the server’s environment sets this.',
    ]);
    await locked.close();
  });
});
