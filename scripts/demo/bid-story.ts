import type { PaymentProviderName } from '#contract/sellers.ts';
import type { Actor } from '#server/domains/context.ts';
import { type Act, type Cast, made } from './cast.ts';
import type { DemoPerson } from './content.ts';
import { correction, removal } from './coupon-story.ts';
import { drawBetween } from './draw.ts';
import type { PlannedBid } from './plan.ts';
import type { Stage } from './stage.ts';

/** A card of the sandbox that always pays. */
const TEST_CARD = '4242424242424242';

/** Sellers set up their accounts soon after they come. */
export function sellerActs(cast: Cast, people: readonly DemoPerson[]): Act[] {
  return people.flatMap((person) =>
    person.sellsThrough.map((provider) => ({
      daysAgo: person.joined - drawBetween(`${provider} account of ${person.username}`, 0.1, 5),
      perform: (stage) => setUp(stage, made(cast.people, person), provider, person),
    })),
  );
}

async function setUp(
  stage: Stage,
  { id, ...actor }: Actor,
  provider: PaymentProviderName,
  { leftOnboarding }: DemoPerson,
): Promise<void> {
  const { sellers } = stage.callsOf({ id, ...actor });
  const { stripe, paypal } = sandboxesOf(stage);
  if (provider === 'paypal') {
    await sellers.createPaypalOnboardingLink();
    if (!leftOnboarding) await paypal.finishOnboarding(id);
    await sellers.paypalStatus();
  } else {
    await sellers.createAccountLink();
    if (!leftOnboarding) await stripe.finishOnboarding(await stripeAccountOf(stage, id));
    await sellers.accountStatus();
  }
}

async function stripeAccountOf(stage: Stage, userId: number): Promise<string> {
  const { accountRef } = await stage
    .contextOf(null)
    .db.selectFrom('sellerAccounts')
    .select('accountRef')
    .where('userId', '=', userId)
    .where('provider', '=', 'stripe')
    .executeTakeFirstOrThrow();
  if (accountRef === null) throw new Error('Stripe makes the account with its first link');
  return accountRef;
}

/** All that becomes of a bid. */
export function bidActs(cast: Cast, bid: PlannedBid, present: Date): Act[] {
  const { bidder, coupon, amount, message, answered, paid, judged, decided } = bid;
  const { owner } = coupon;
  const bidId = () => made(cast.bids, bid);
  const act = (
    daysAgo: number,
    person: DemoPerson,
    call: (calls: ReturnType<Stage['callsOf']>) => Promise<unknown>,
  ): Act => ({ daysAgo, perform: (stage) => call(stage.callsOf(made(cast.people, person))) });
  const move = (person: DemoPerson, status: 'accepted' | 'rejected' | 'cancelled') =>
    act(answered, person, ({ bids }) => bids.setStatus({ id: bidId(), status }));

  const placing = act(bid.placed, bidder, async ({ bids }) => {
    const couponId = made(cast.coupons, coupon);
    const { id } = await bids.place({ couponId, amount: amount.slice(1), message: message ?? null });
    cast.bids.set(bid, id);
  });
  const accepted = move(owner, 'accepted');
  const payment: Act = { daysAgo: paid, perform: (stage) => pay(stage, cast, bid) };
  const claim = act(judged, bidder, ({ payments }) =>
    payments.openClaim({ bidId: bidId(), reason: bid.claim ?? '' }),
  );
  const decision = (what: 'refund' | 'release'): Act => ({
    daysAgo: decided,
    perform: (stage) => decide(stage, cast, bid, what),
  });

  const sold = [accepted, payment];
  const endings: Record<PlannedBid['ending'], Act[]> = {
    pending: [],
    unanswered: [],
    'coupon expired': [],
    'coupon swapped': [],
    'coupon removed': [removal(cast, coupon, answered)],
    'coupon changed': [correction(cast, coupon, answered, present)],
    rejected: [move(owner, 'rejected')],
    withdrawn: [move(bidder, 'cancelled')],
    accepted: [accepted],
    unpaid: [accepted],
    held: sold,
    released: sold,
    confirmed: [...sold, act(judged, bidder, ({ payments }) => payments.confirmReceipt({ bidId: bidId() }))],
    claimed: [...sold, claim],
    'claim withdrawn': [
      ...sold,
      claim,
      act(decided, bidder, ({ payments }) => payments.withdrawClaim({ bidId: bidId() })),
    ],
    'claim granted': [...sold, claim, decision('refund')],
    'claim refused': [...sold, claim, decision('release')],
  };
  return [placing, ...endings[bid.ending]];
}

/** The buyer pays, on the sandbox's page and on ours. */
async function pay(stage: Stage, cast: Cast, bid: PlannedBid): Promise<void> {
  const { payments } = stage.callsOf(made(cast.people, bid.bidder));
  const { stripe, paypal } = sandboxesOf(stage);
  const bidId = made(cast.bids, bid);
  if (providerOf(bid) === 'paypal') {
    const { orderId } = await payments.createPaypalOrder({ bidId });
    await paypal.approveOrder(orderId);
    await payments.capturePaypalOrder({ bidId });
  } else {
    const { clientSecret } = await payments.createIntent({ bidId, keepCard: bid.keepsCard ?? false });
    await stripe.confirmWithCard(clientSecret, TEST_CARD);
    await payments.refresh({ bidId });
  }
}

function providerOf({ through, coupon }: PlannedBid): PaymentProviderName {
  const [first = 'stripe'] = coupon.owner.sellsThrough;
  return through ?? first;
}

/** The moderator decides the bid's claim. */
async function decide(
  stage: Stage,
  cast: Cast,
  bid: PlannedBid,
  decision: 'refund' | 'release',
): Promise<void> {
  const moderator = [...cast.people.values()].find(({ role }) => role === 'moderator');
  if (!moderator) throw new Error('The demo has nobody who decides claims');
  const { payments } = stage.callsOf(moderator);
  const { items } = await payments.claims({});
  const claim = items.find(({ bidId }) => bidId === made(cast.bids, bid));
  if (!claim) throw new Error('A demo act needs a claim that nobody has made');
  await payments.decideClaim({ id: claim.id, decision, note: bid.note ?? '' });
}

function sandboxesOf({ sandbox }: Stage) {
  const { stripe, paypal } = sandbox ?? {};
  if (!stripe || !paypal) throw new Error('The demo sells only where both payment sandboxes run');
  return { stripe, paypal };
}
