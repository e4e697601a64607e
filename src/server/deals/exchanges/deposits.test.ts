import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { actingAs, createCoupon, createUser } from '#tests/support/builders.ts';
import { proposedWithDeposit } from '#tests/support/deposits.ts';
import { setUpMarket } from '#tests/support/payments.ts';
import { counterExchange, proposeExchange, reviseExchange } from './proposing.ts';
import { setExchangeStatus } from './service.ts';

const market = setUpMarket();
const as = (who: Actor) => actingAs(market.ctx, who);

describe('what a proposal can ask for', () => {
  it('is at most what the side with the smaller value gives, and not together with money', async () => {
    const { ctx } = market;
    const cheap = { discountType: 'fixed', value: 500 } as const;
    await expect(proposedWithDeposit(market, { columns: cheap, deposit: '5.01' })).rejects.toThrow(
      'The deposit can be at most $5.00 CAD',
    );
    await expect(
      proposedWithDeposit(market, { columns: { ...cheap, value: 199 }, deposit: '2' }),
    ).rejects.toThrow('must be worth at least $2.00 CAD');
    const [ann, bo] = [await createUser(ctx), await createUser(ctx)];
    const sides = {
      offeredCouponId: (await createCoupon(ctx, ann)).id,
      requestedCouponId: (await createCoupon(ctx, bo)).id,
    };
    const money = { payer: 'author', amount: '20.00' } as const;
    await expect(
      proposeExchange(as(ann), { ...sides, money, deposit: '5', message: null }),
    ).rejects.toMatchObject({ code: 'bad_input' });
  });

  it('is seen before it is agreed to, and can be changed or countered', async () => {
    const swap = await proposedWithDeposit(market);
    const accept = (deposit?: string) =>
      setExchangeStatus(as(swap.owner), { id: swap.id, status: 'accepted', deposit });
    await expect(accept()).rejects.toMatchObject({ code: 'bad_input' });
    await reviseExchange(as(swap.requester), { id: swap.id, deposit: '4' });
    await expect(accept('10.00')).rejects.toMatchObject({ code: 'deal_changed' });
    const answer = await counterExchange(as(swap.owner), {
      ...{ id: swap.id, message: null, deposit: null },
      ...{ requestedCouponIds: [swap.offered.id], offeredCouponIds: [swap.requested.id] },
    });
    expect(answer).toMatchObject({ deposit: null, round: 2 });
  });

  it('is what newcomers are asked for, unless its author says otherwise', async () => {
    const { ctx } = market;
    const own = { ...ctx, config: { ...ctx.config, depositFromNewcomers: 500 } };
    const [ann, bo] = [await createUser(ctx), await createUser(ctx, { establishedAt: null })];
    const ask = async (deposit?: null) =>
      proposeExchange(actingAs(own, ann), {
        offeredCouponId: (await createCoupon(ctx, ann)).id,
        requestedCouponId: (await createCoupon(ctx, bo)).id,
        message: null,
        deposit,
      });
    await expect(ask()).resolves.toMatchObject({ deposit: '5.00' });
    await expect(ask(null)).resolves.toMatchObject({ deposit: null });
  });
});
