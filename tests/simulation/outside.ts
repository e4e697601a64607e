import { openStored as openPaypal } from '#sandbox/paypal/objects.ts';
import { Refusal } from '#sandbox/server.ts';
import { openStored as openStripe } from '#sandbox/stripe/objects.ts';
import { chance, choose } from './choices.ts';
import type { World } from './world.ts';

type Luck = (about: string) => number;
type Play = (luck: Luck) => Promise<unknown>;

/** Cents. */
const part = (luck: Luck) => 1 + Math.floor(300 * luck('part'));
const other = (luck: Luck) => 100 + Math.floor(5_000 * luck('other'));

/** What people and banks do at Stripe, to one payment. */
function playsAtStripe({ sandbox: { stripe } }: World, { id, seller, refund, dispute }: Payment): Play[] {
  return [
    (luck) => stripe.refund(id, { amount: part(luck) }),
    () => stripe.refund(id),
    () => stripe.openDispute(id),
    (luck) => stripe.openDispute(id, { amount: part(luck) }),
    () => stripe.openDispute(id, { kind: 'inquiry' }),
    () => stripe.openDispute(id, { kind: 'prevented' }),
    () => stripe.setAccountState(seller, 'incomplete'),
    () => stripe.setAccountState(seller, 'done'),
    // Reversals are refused then.
    () => stripe.payOutToBank(seller),
    (luck) => stripe.payElsewhere(other(luck)),
    // Banks send it back, even after it had succeeded.
    ...(refund ? [() => stripe.settleRefund(refund.id, 'failed')] : []),
    ...(dispute
      ? [
          () => stripe.escalateInquiry(dispute.id),
          () => stripe.closeDispute(dispute.id, 'won'),
          () => stripe.closeDispute(dispute.id, 'lost'),
          () => stripe.appealDispute(dispute.id),
        ]
      : []),
  ];
}

/** What people and banks do at PayPal, to one payment. */
function playsAtPaypal({ sandbox: { paypal } }: World, { id, seller, dispute }: Payment): Play[] {
  return [
    (luck) => paypal.refund(id, { amount: part(luck) }),
    () => paypal.refund(id),
    () => paypal.openDispute(id),
    () => paypal.openDispute(id, { channel: 'EXTERNAL' }),
    () => paypal.openDispute(id, { stage: 'INQUIRY' }),
    () => paypal.changeMerchant(seller, { isReceivable: false }),
    () => paypal.changeMerchant(seller, { isReceivable: true, payouts: 'succeed' }),
    () => paypal.changeMerchant(seller, { payouts: 'pend' }),
    () => paypal.disburse(id),
    (luck) => paypal.payElsewhere(other(luck)),
    ...(dispute
      ? [
          () => paypal.escalateDispute(dispute.id),
          () => paypal.closeDispute(dispute.id, 'won'),
          () => paypal.closeDispute(dispute.id, 'lost'),
        ]
      : []),
  ];
}

type Payment = Awaited<ReturnType<World['sandbox']['stripe']['payments']>>[number];

/** Something happens to one payment at a provider without us. What cannot be, such as to win a dispute that there is not, it refuses. */
export async function playOutside(world: World, luck: Luck): Promise<void> {
  const { stripe, paypal } = world.sandbox;
  const isStripe = luck('provider') < 0.5;
  const payments = await (isStripe ? stripe : paypal).payments();
  if (payments.length === 0) return;
  const payment = choose(luck('payment'), payments);
  const play = choose(luck('play'), (isStripe ? playsAtStripe : playsAtPaypal)(world, payment));
  await play(luck).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}

/** Banks end what they had begun. @param part of the disputes that they decide now */
export async function settleOutside(
  { seed, store, sandbox }: World,
  day: string,
  part: number,
): Promise<void> {
  const { stripe, paypal } = sandbox;
  const [atStripe, atPaypal] = [openStripe(store), openPaypal(store)];
  const isDue = (at: number) => chance(seed, 'decides', day, at) < part;
  const end = (at: number) => choose(chance(seed, 'end', day, at), ['won', 'lost'] as const);
  for (const { id, status } of await atStripe.paymentIntents.list())
    if (status === 'processing') await stripe.finishProcessing(id);
  for (const [at, { id, status }] of (await atStripe.disputes.list()).entries()) {
    if (!isDue(at)) continue;
    if (status.startsWith('warning_') && status !== 'warning_closed')
      await stripe.closeDispute(id, 'warning_closed');
    else if (/_review$|_response$/.test(status)) await stripe.closeDispute(id, end(at));
  }
  for (const [at, { id, status }] of (await atPaypal.disputes.list()).entries())
    if (isDue(at) && status !== 'RESOLVED') await paypal.closeDispute(id, end(at));
  for (const { id, status } of await atPaypal.refunds.list())
    if (status === 'PENDING') await paypal.settleRefund(id, 'COMPLETED');
  for (const { id, status } of await atPaypal.payoutItems.list())
    if (status === 'PENDING') await paypal.settlePayout(id, 'SUCCESS');
  await paypal.completeReports();
}

/** The providers let all sellers be paid again. */
export async function restoreSellers({ sandbox, store }: World): Promise<void> {
  for (const { id } of await openStripe(store).accounts.list())
    await sandbox.stripe.setAccountState(id, 'done');
  for (const { id } of await openPaypal(store).merchants.list())
    await sandbox.paypal.changeMerchant(id, { isReceivable: true, payouts: 'succeed' });
}

/** Sellers take what they have at Stripe to their banks: transfers cannot be reversed then. */
export async function takeMoney({ sandbox, store }: World): Promise<void> {
  for (const { id } of await openStripe(store).accounts.list())
    await sandbox.stripe.payOutToBank(id).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
}
