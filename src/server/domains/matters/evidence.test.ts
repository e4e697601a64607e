import { beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/domains/context.ts';
import { actingAs, createUser } from '#server/testing/builders.ts';
import { paymentOf, setUpMarket } from '#server/testing/payments.ts';
import { forgetOldOrigins, revealCode } from '../coupons/reveals.ts';
import { sendMessage } from '../messages/service.ts';
import { openClaim } from '../payments/protection.ts';
import { evidenceFor } from './evidence.ts';

const market = setUpMarket();
let admin: Actor;

beforeAll(async () => {
  admin = await createUser(market.ctx, { role: 'admin' });
});

it('the evidence says who opened the code when and from where, what was claimed and written, and never has the code', async () => {
  const bid = await market.paidBid();
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const buyer = { ...actingAs(market.ctx, bid.buyer), ip: '203.0.113.7', userAgent };
  const { code } = await revealCode(buyer, bid.coupon.id);
  if (code === null) throw new Error('The coupon has no code');
  const spelled = `${code.slice(0, 4).toLowerCase()} ${code.slice(4)}`;
  const write = (content: string, clientKey: string) =>
    sendMessage(buyer, { dealType: 'bid', dealId: bid.id, content, clientKey });
  await write(`Does "${code}" work?`, '0197a5c0-0000-7000-8000-000000000001');
  await write(`I typed ${spelled}, twice`, '0197a5c0-0000-7000-8000-000000000002');
  await openClaim(buyer, { bidId: bid.id, reason: `The till refuses ${code}!` });
  const { id } = await paymentOf(market.ctx, bid);
  const me = actingAs(market.ctx, admin);
  const at = `${market.ctx.clock().toISOString().slice(0, 19).replace('T', ' ')} UTC`;

  const { text } = await evidenceFor(me, id);
  expect(text).toContain(`- ${at}, from 203.0.113.7, Firefox on Linux`);
  expect(text).toContain(`- ${at} ${bid.buyer.username}: Does "[code]" work?`);
  expect(text).toContain(`${bid.buyer.username}: I typed [code], twice`);
  expect(text).toContain(`The buyer said on ${at}: “The till refuses [code]!”`);
  expect(text).toContain(`Paid: 10.50 CAD on ${at}. Refunded: 0.00 CAD.`);
  expect(text.replaceAll(/[\s-]/g, '').toUpperCase()).not.toContain(
    code.replaceAll(/[\s-]/g, '').toUpperCase(),
  );

  market.ctx.clock.advanceDays(181);
  await forgetOldOrigins(market.ctx);
  expect((await evidenceFor(me, id)).text).not.toContain('203.0.113.7');
});

it('there is no evidence for what was not paid', async () => {
  const bid = await market.acceptedBid();
  await market.intentOf(bid);
  const { id } = await paymentOf(market.ctx, bid);
  await expect(evidenceFor(actingAs(market.ctx, admin), id)).rejects.toMatchObject({ code: 'not_found' });
});
