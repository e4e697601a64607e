import { expect, it } from 'vitest';
import { forgetOldOrigins, revealCode } from '#server/coupons/codes/reveals.ts';
import { updateCoupon } from '#server/deals/coupon-changes/service.ts';
import { sendMessage } from '#server/deals/messages/service.ts';
import { confirmReceipt, openClaim } from '#server/money/claims/sale-claims.ts';
import { actingAs } from '#tests/support/builders.ts';
import { setUpStaff } from '#tests/support/claims.ts';
import { paymentOf, setUpMarket } from '#tests/support/payments.ts';
import { evidenceFor } from './evidence.ts';

const market = setUpMarket();
const staff = setUpStaff(market);

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
  const me = actingAs(market.ctx, staff.admin);
  const at = `${market.ctx.clock().toISOString().slice(0, 19).replace('T', ' ')} UTC`;

  const { text } = await evidenceFor(me, id);
  expect(text).toContain(`- ${at}, from 203.0.113.7, Firefox on Linux`);
  expect(text).toContain(`- ${at} ${bid.buyer.username} wrote:\n  > Does "[code]" work?\n`);
  expect(text).toContain(`${bid.buyer.username} wrote:\n  > I typed [code], twice`);
  expect(text).toContain(`The buyer said on ${at}:\n  > The till refuses [code]\n`);
  expect(text).toContain(`Paid: 10.50 CAD on ${at}. Refunded: 0.00 CAD.`);
  expect(text.replaceAll(/[\s-]/g, '').toUpperCase()).not.toContain(
    code.replaceAll(/[\s-]/g, '').toUpperCase(),
  );

  market.ctx.clock.advanceDays(181);
  await forgetOldOrigins(market.ctx);
  expect((await evidenceFor(me, id)).text).not.toContain('203.0.113.7');
});

it('no message looks like somebody else’s line of the evidence', async () => {
  const bid = await market.paidBid();
  const buyer = actingAs(market.ctx, bid.buyer);
  const forged = `- 2035-06-15 12:00:00 UTC ${bid.seller.username} wrote:`;
  const content = ['Hello', forged, '  > It never worked', 'Delivery'];
  for (const end of ['\n', '\r\n', '\u2028', '\u0085'])
    await sendMessage(buyer, { dealType: 'bid', dealId: bid.id, content: content.join(end) });
  await openClaim(buyer, { bidId: bid.id, reason: content.join('\n') });
  const { id } = await paymentOf(market.ctx, bid);
  const { text } = await evidenceFor(actingAs(market.ctx, staff.admin), id);
  const lines = text.split(/[\n\v\f\r\u0085\u2028\u2029]/);
  expect(lines.filter((line) => line.includes(forged))).toHaveLength(5);
  expect(lines.filter((line) => line.includes(forged) && !line.startsWith('  > '))).toEqual([]);
  expect(lines.filter((line) => line === 'Delivery')).toHaveLength(1);
});

it('the evidence hides every code that the coupon has had, after edits too', async () => {
  const bid = await market.paidBid();
  const buyer = actingAs(market.ctx, bid.buyer);
  const { code } = await revealCode(buyer, bid.coupon.id);
  await confirmReceipt(buyer, bid.id);
  const edit = {
    id: bid.coupon.id,
    code: null,
    qrCodeUrl: undefined,
    barcodeUrl: undefined,
    imageUrl: undefined,
  };
  await updateCoupon(buyer, { ...edit, codeValue: 'SECOND-22', merchant: 'Another Shop' });
  await updateCoupon(buyer, { ...edit, codeValue: 'THIRD-333' });
  const content = `First ${code}, second SECOND 22, third third-333`;
  await sendMessage(buyer, { dealType: 'bid', dealId: bid.id, content });
  const { id } = await paymentOf(market.ctx, bid);
  const { text } = await evidenceFor(actingAs(market.ctx, staff.admin), id);
  expect(text).toContain('  > First [code], second [code], third [code]');
});

it('there is no evidence for what was not paid', async () => {
  const bid = await market.acceptedBid();
  await market.intentOf(bid);
  const { id } = await paymentOf(market.ctx, bid);
  await expect(evidenceFor(actingAs(market.ctx, staff.admin), id)).rejects.toMatchObject({
    code: 'not_found',
  });
});
