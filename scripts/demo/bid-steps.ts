import type { PaymentProviderName } from '#contract/people/sellers.ts';
import type { Actor } from '#server/context/context.ts';
import { decimalOf } from './amounts.ts';
import { moderatorOf } from './claim-steps.ts';
import type { DemoPerson } from './content.ts';
import { correction, removal } from './coupon-steps.ts';
import { drawBetween } from './draw.ts';
import type { PlannedBid } from './plan.ts';
import { type DemoClient, type DemoState, type DemoStep, lookUp } from './steps.ts';

/** A test card whose payments succeed, good for five years. */
const testCardAt = (now: Date) => ({
  number: '4242424242424242',
  exp_month: 12,
  exp_year: now.getFullYear() + 5,
  cvc: '123',
});

/** Sellers set up their accounts soon after they join. */
export function sellerSteps(state: DemoState, people: readonly DemoPerson[]): DemoStep[] {
  return people.flatMap((person) =>
    person.sellsThrough.map((provider) => ({
      daysAgo: person.joined - drawBetween(`${provider} account of ${person.username}`, 0.1, 5),
      run: (client) => setUp(client, lookUp(state.people, person), provider, person),
    })),
  );
}

async function setUp(
  client: DemoClient,
  actor: Actor,
  provider: PaymentProviderName,
  { leftOnboarding }: DemoPerson,
): Promise<void> {
  const { sellers } = client.callsOf(actor);
  if (provider === 'paypal') {
    const { onboardingUrl } = await sellers.createPaypalOnboardingLink();
    if (!leftOnboarding) await client.post(onboardingUrl, 'choice=ready');
    await sellers.paypalStatus();
  } else {
    const { url } = await sellers.createAccountLink();
    if (!leftOnboarding) await client.post(url, 'choice=finish');
    await sellers.accountStatus();
  }
}

/** The steps of a bid from its start to its end. */
export function bidSteps(state: DemoState, bid: PlannedBid, present: Date): DemoStep[] {
  const { bidder, coupon, amount, message, answered, paid, judged, decided } = bid;
  const { owner } = coupon;
  const bidId = () => lookUp(state.bids, bid);
  const step = (
    daysAgo: number,
    person: DemoPerson,
    call: (calls: ReturnType<DemoClient['callsOf']>) => Promise<unknown>,
  ): DemoStep => ({ daysAgo, run: (client) => call(client.callsOf(lookUp(state.people, person))) });
  const move = (person: DemoPerson, status: 'accepted' | 'rejected' | 'cancelled') =>
    step(answered, person, ({ bids }) => bids.setStatus({ id: bidId(), status }));

  const placing = step(bid.placed, bidder, async ({ bids }) => {
    const couponId = lookUp(state.coupons, coupon);
    const acknowledgeNoCode = coupon.code === null;
    const given = { couponId, amount: decimalOf(amount), message: message ?? null, acknowledgeNoCode };
    const { id } = await bids.place(given);
    state.bids.set(bid, id);
  });
  const accepted = move(owner, 'accepted');
  const counter = step(answered, owner, ({ bids }) =>
    bids.counter({
      id: bidId(),
      amount: decimalOf(bid.counter ?? '$0'),
      expectedAmount: decimalOf(amount),
    }),
  );
  const payment: DemoStep = { daysAgo: paid, run: (client) => pay(client, state, bid) };
  const claim = step(judged, bidder, ({ payments }) =>
    payments.openClaim({ bidId: bidId(), reason: bid.claim ?? '' }),
  );
  const decision = (what: 'refund' | 'release'): DemoStep => ({
    daysAgo: decided,
    run: (client) => decide(client, state, bid, what),
  });

  const sold = [accepted, payment];
  const endings: Record<PlannedBid['ending'], DemoStep[]> = {
    pending: [],
    countered: [counter],
    unanswered: [],
    'coupon expired': [],
    'coupon swapped': [],
    'coupon removed': [removal(state, coupon, answered)],
    'coupon changed': [correction(state, coupon, answered, present)],
    rejected: [move(owner, 'rejected')],
    withdrawn: [move(bidder, 'cancelled')],
    accepted: [accepted],
    unpaid: [accepted],
    held: sold,
    released: sold,
    confirmed: [...sold, step(judged, bidder, ({ payments }) => payments.confirmReceipt({ bidId: bidId() }))],
    claimed: [...sold, claim],
    'claim withdrawn': [
      ...sold,
      claim,
      step(decided, bidder, ({ payments }) => payments.withdrawClaim({ bidId: bidId() })),
    ],
    'claim granted': [...sold, claim, decision('refund')],
    'claim refused': [...sold, claim, decision('release')],
  };
  return [placing, ...endings[bid.ending]];
}

/** The buyer pays on the provider's page and on the site. */
async function pay(client: DemoClient, state: DemoState, bid: PlannedBid): Promise<void> {
  const { payments } = client.callsOf(lookUp(state.people, bid.bidder));
  const bidId = lookUp(state.bids, bid);
  if (providerOf(bid) === 'paypal') {
    const { orderId } = await payments.createPaypalOrder({ bidId });
    await client.post(`/sandbox/paypal/browser/orders/${orderId}/approve`, '{"funding":"balance"}');
    await payments.capturePaypalOrder({ bidId });
  } else {
    const { clientSecret } = await payments.createIntent({ bidId, keepCard: bid.keepsCard ?? false });
    const [intent] = clientSecret.split('_secret_');
    const card = testCardAt(client.contextOf(null).clock());
    await client.post(
      `/sandbox/stripe/browser/payment_intents/${intent}/confirm`,
      JSON.stringify({ client_secret: clientSecret, card }),
    );
    await payments.refresh({ bidId });
  }
}

function providerOf({ through, coupon }: PlannedBid): PaymentProviderName {
  const [first = 'stripe'] = coupon.owner.sellsThrough;
  return through ?? first;
}

/** The seller answers the bid's claim, and the moderator decides it. */
async function decide(
  client: DemoClient,
  state: DemoState,
  bid: PlannedBid,
  decision: 'refund' | 'release',
): Promise<void> {
  const { claims, payments } = client.callsOf(moderatorOf(state));
  const { items } = await claims.list({});
  const claim = items.find(({ bidId }) => bidId === lookUp(state.bids, bid));
  if (!claim) throw new Error('A demo step needs a claim that nobody has made');
  await client
    .callsOf(lookUp(state.people, bid.coupon.owner))
    .claims.answer({ id: claim.id, answer: bid.answer ?? '' });
  await payments.decideClaim({ id: claim.id, decision, note: bid.note ?? '' });
}
