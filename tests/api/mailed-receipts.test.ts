import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { placeBid, setBidStatus } from '#server/deals/bids/service.ts';
import { accountLinks } from '#server/people/accounts/links.ts';
import { sendWaitingMail } from '#server/people/notifications/sending.ts';
import type { Mailer } from '#server/providers/mail/mailer.ts';
import { createSmtpMailer } from '#server/providers/mail/smtp.ts';
import { actingAs, createCoupon, createUser } from '#tests/support/builders.ts';
import { type MailServer, startMailServer } from '#tests/support/mail.ts';
import { type AcceptedBid, paymentOf, setUpMarket } from '#tests/support/payments.ts';

const market = setUpMarket();
let server: MailServer;
let mailer: Mailer;
let sale: AcceptedBid;
let number: string;

/** Sends the waiting mails. @returns the one to this person with this subject */
async function mailTo({ username }: Actor, subject: string) {
  await sendWaitingMail(
    { ...market.ctx, providers: { ...market.ctx.providers, mail: mailer } },
    accountLinks,
  );
  const found = server.mails.filter(
    (mail) => mail.to === `${username}@example.org` && mail.subject === subject,
  );
  expect(found).toHaveLength(1);
  return found[0];
}

/** A sale of 3.10 of a coupon whose title is HTML, paid by card. */
async function pay(): Promise<AcceptedBid> {
  const { ctx } = market;
  const [seller, buyer] = [await market.readySeller(['stripe']), await createUser(ctx)];
  const coupon = await createCoupon(ctx, seller, { title: '<b>Free</b> coffee' });
  const { id } = await placeBid(actingAs(ctx, buyer), { couponId: coupon.id, amount: '3.10', message: null });
  await setBidStatus(actingAs(ctx, seller), { id, status: 'accepted' });
  const bid = { id, amount: 310, seller, buyer, coupon };
  await market.payByCard(bid);
  return bid;
}

beforeAll(async () => {
  server = await startMailServer();
  mailer = createSmtpMailer(server.settings);
  sale = await pay();
  number = String((await paymentOf(market.ctx, sale)).id).padStart(6, '0');
});
afterAll(async () => {
  await mailer.close();
  await server.close();
});

it('brings the buyer the receipt with the mail about the payment, as text and as HTML', async () => {
  const mail = await mailTo(sale.buyer, 'Your payment is protected');
  expect(mail?.text).toContain(
    [
      'Receipt',
      `Number: R-${number}`,
      'Date: Jun 15, 2035, 12:00 UTC',
      `Buyer: ${sale.buyer.username}`,
      `Seller: ${sale.seller.username}`,
      'Coupon: <b>Free</b> coffee, Bakery Lane',
      'Paid through: Stripe',
      'State: Paid; the seller’s money is held',
      'Price: $3.10 CAD',
      'Fee (5%): $0.16 CAD',
      'You paid: $3.26 CAD',
    ].join('\n'),
  );
  expect(mail?.text).toContain(`the coupon was sold by ${sale.seller.username}.`);
  const page = `http://localhost/sales/${Number(number)}`;
  expect(mail?.text).toContain(page);
  expect(mail?.html).toContain(`href="${page}"`);
  expect(mail?.html).toMatch(/<th [^>]*>You paid<\/th><td [^>]*>\$3\.26 CAD<\/td>/);
  expect(mail?.html).toContain('&lt;b&gt;Free&lt;/b&gt; coffee, Bakery Lane</td>');
  expect(mail?.html).not.toContain('<b>');
});

it('brings the seller the fee statement with the mail about the payment', async () => {
  const mail = await mailTo(sale.seller, 'Your payment is protected');
  for (const line of [`Number: S-${number}`, 'Sale: $3.10 CAD', 'Your share: $2.94 CAD']) {
    expect(mail?.text).toContain(`\n${line}\n`);
  }
  expect(mail?.text).toContain('−$0.16 CAD');
  expect(mail?.text).not.toContain('$3.26');
  expect(mail?.html).toContain('Fee statement</h2>');
});

it('puts neither the code nor a receipt into other mails about the sale', async () => {
  await mailTo(sale.buyer, 'Your payment is protected');
  expect(sale.coupon.code).not.toBeNull();
  for (const { subject, text, html } of server.mails) {
    expect(text + html).not.toContain(sale.coupon.code);
    expect(/Fee \(/.test(text), subject).toBe(subject === 'Your payment is protected');
  }
  expect(server.mails.length).toBeGreaterThan(2);
});
