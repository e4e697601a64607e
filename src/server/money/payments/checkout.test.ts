import { beforeAll, describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import type { Actor } from '#server/context/context.ts';
import { checkoutWithCover } from '#server/money/claims/protection.ts';
import { actingAs, createUser } from '#tests/support/builders.ts';
import { noticesOf } from '#tests/support/exchanges.ts';
import { paymentOf, paymentsOf, setUpMarket } from '#tests/support/payments.ts';
import {
  capturePaypalOrder,
  checkout,
  createPaymentIntent,
  createPaypalOrder,
  paymentClient,
} from './service.ts';

const market = setUpMarket();
let seller: Actor;
beforeAll(async () => {
  seller = await market.readySeller();
});

const as = (actor: Actor) => actingAs(market.ctx, actor);
type Me = ReturnType<typeof as>;
const acceptedBid = (given: { seller?: Actor; amount?: number } = {}) =>
  market.acceptedBid({ seller, ...given });

/** The ways to begin to pay, and to complete a PayPal payment. */
const WAYS = [
  ['checkout', checkout],
  ['createIntent', (me: Me, bidId: number) => createPaymentIntent(me, { bidId, keepCard: false })],
  ['createPaypalOrder', createPaypalOrder],
  ['capturePaypalOrder', capturePaypalOrder],
] as const;

describe('the amount due', () => {
  it('is the bid plus 5%, through the providers where the seller can be paid [spec/2 9.1]', async () => {
    const bid = await acceptedBid({ amount: 310 });
    expect(await checkoutWithCover(as(bid.buyer), bid.id)).toEqual({
      bidId: bid.id,
      amount: '3.10',
      buyerFee: '0.16',
      buyerTotal: '3.26',
      cover: null,
      providers: ['stripe', 'paypal'],
    });
    const payer = await acceptedBid({ seller: await market.readySeller(['paypal']) });
    expect((await checkout(as(payer.buyer), payer.id)).providers).toEqual(['paypal']);
    await expect(market.intentOf(payer)).rejects.toMatchObject({ code: 'seller_not_ready' });
  });

  it('is stored with the payment, with the current fees [spec/1 3.11]', async () => {
    const bid = await acceptedBid({ amount: 310 });
    await market.intentOf(bid);
    expect(await paymentOf(market.ctx, bid)).toMatchObject({
      senderId: bid.buyer.id,
      receiverId: bid.seller.id,
      provider: 'stripe',
      currency: 'CAD',
      amount: '3.10',
      buyerFee: '0.16',
      sellerFee: '0.16',
      platformFee: '0.32',
      netAmount: '2.94',
      status: 'open',
      paidAt: null,
    });
  });

  it('the browser gets the scripts that it needs [spec/2 3.4]', () => {
    expect(paymentClient(market.ctx)).toMatchObject({
      isSandbox: true,
      stripe: { scriptUrl: '/sandbox/stripe/browser/stripe.js' },
      paypal: { sdkBaseUrl: '/sandbox/paypal/browser/sdk.js' },
    });
  });
});

describe('a seller who cannot be paid', () => {
  it.each(WAYS.slice(0, 3))(
    'is told at most once a day for each bid that a buyer wants to pay: %s',
    async (_, act) => {
      const poor = await createUser(market.ctx);
      const bid = await acceptedBid({ seller: poor });
      const notReady = {
        code: 'seller_not_ready',
        message: expect.stringMatching(
          /^Seller must complete their payment account setup before receiving payments/,
        ),
      };
      const other = await acceptedBid({ seller: poor });
      const told = async () =>
        (await noticesOf(market.ctx, poor))
          .filter(({ link }) => link === '/seller-onboarding')
          .map(({ content }) => content);
      const of = ({ buyer }: typeof bid) => expect.stringContaining(`${buyer.username} wants to pay you`);
      const many = [bid, bid, other, bid].map(({ buyer, id }) =>
        expect(act(as(buyer), id)).rejects.toMatchObject(notReady),
      );
      await Promise.all(many);
      await expect(act(as(bid.buyer), bid.id)).rejects.toMatchObject(notReady);
      expect(await told()).toHaveLength(2);
      expect(await told()).toEqual(expect.arrayContaining([of(bid), of(other)]));
      market.ctx.clock.advanceDays(0.99);
      await expect(act(as(bid.buyer), bid.id)).rejects.toMatchObject(notReady);
      expect(await told()).toHaveLength(2);
      market.ctx.clock.advanceDays(0.01);
      await expect(act(as(bid.buyer), bid.id)).rejects.toMatchObject(notReady);
      expect(await told()).toHaveLength(3);
      expect(await paymentsOf(market.ctx, bid)).toEqual([]);
    },
  );

  it.each(WAYS)(
    '%s says that the payment system is unavailable if none is configured [spec/2 2.11]',
    async (_, act) => {
      const bid = await acceptedBid();
      const providers = {
        ...market.ctx.providers,
        payments: { stripe: null, paypal: null },
        paymentClient: { isSandbox: false, stripe: null, paypal: null },
      };
      const alone = { ...as(bid.buyer), providers };
      await expect(act(alone, bid.id)).rejects.toMatchObject({
        code: 'payments_unavailable',
        message: TEXTS.checkout.unavailable(),
      });
    },
  );
});
