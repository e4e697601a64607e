import type { Actor } from '#server/domains/context.ts';
import { decideClaim } from '#server/domains/payments/protection.ts';
import { type DemoBidEnding, MODERATOR, SELLERS } from './bids.ts';
import { type Act, type Cast, made } from './cast.ts';
import type { DemoPerson } from './people.ts';
import type { PlannedBid } from './plan.ts';
import type { Stage } from './stage.ts';

const TEST_CARD = '4242424242424242';

/** Sellers set up their accounts soon after they come, one of them not to the end. */
export function sellerActs(cast: Cast, people: readonly DemoPerson[]): Act[] {
  return SELLERS.flatMap(({ username, providers }) => {
    const person = people.find((known) => known.username === username);
    if (!person) throw new Error(`The demo knows nobody called ${username}`);
    return providers.map((provider) => ({
      daysAgo: person.joined - 0.05,
      perform: (stage: Stage) => setUp(stage, made(cast.people, person), provider),
    }));
  });
}

async function setUp(stage: Stage, seller: Actor, provider: 'stripe' | 'paypal'): Promise<void> {
  const { sellers } = stage.callsOf(seller);
  if (provider === 'paypal') {
    await sellers.createPaypalOnboardingLink();
    await stage.sandboxes.paypal?.finishOnboarding(seller.id);
    await sellers.paypalStatus();
    return;
  }
  await sellers.createAccountLink();
  const { accountRef } = await stage.db
    .selectFrom('sellerAccounts')
    .select('accountRef')
    .where('userId', '=', seller.id)
    .where('provider', '=', provider)
    .executeTakeFirstOrThrow();
  await stage.sandboxes.stripe?.finishOnboarding(accountRef ?? '');
  await sellers.accountStatus();
}

/** All that becomes of a bid. */
export function bidActs(cast: Cast, bid: PlannedBid): Act[] {
  const { plan, bidder, coupon, placed, answered, paid, concluded } = bid;
  const bidOf = () => made(cast.bids, bid);
  const callsOf = (stage: Stage, person: DemoPerson) => stage.callsOf(made(cast.people, person));
  const move = (daysAgo: number, person: DemoPerson, status: 'accepted' | 'rejected' | 'cancelled'): Act => ({
    daysAgo,
    perform: (stage) => callsOf(stage, person).bids.setStatus({ id: bidOf(), status }),
  });

  const placing: Act = {
    daysAgo: placed,
    async perform(stage) {
      const { id } = await callsOf(stage, bidder).bids.place({
        couponId: made(cast.coupons, coupon),
        amount: plan.amount,
        message: plan.message ?? null,
      });
      cast.bids.set(bid, id);
    },
  };
  const accepted = move(answered, coupon.owner, 'accepted');
  const payment: Act = {
    daysAgo: paid,
    perform: (stage) => pay(stage, made(cast.people, bidder), bidOf(), plan.provider ?? 'stripe'),
  };
  const confirmed: Act = {
    daysAgo: concluded,
    perform: (stage) => callsOf(stage, bidder).payments.confirmReceipt({ bidId: bidOf() }),
  };
  const claimed: Act = {
    daysAgo: (paid + concluded) / 2,
    perform: (stage) =>
      callsOf(stage, bidder).payments.openClaim({ bidId: bidOf(), reason: plan.claim ?? '' }),
  };
  const decision = (what: 'refund' | 'release'): Act => ({
    daysAgo: concluded,
    perform: (stage) => decide(stage, cast, bidOf(), { decision: what, note: plan.note ?? '' }),
  });

  const sold = [accepted, payment];
  const endings: Record<DemoBidEnding, Act[]> = {
    pending: [],
    unanswered: [],
    accepted: [accepted],
    unpaid: [accepted],
    rejected: [move(answered, coupon.owner, 'rejected')],
    withdrawn: [move(answered, bidder, 'cancelled')],
    held: sold,
    released: sold,
    confirmed: [...sold, confirmed],
    claimed: [...sold, claimed],
    refunded: [...sold, claimed, decision('refund')],
    'claim refused': [...sold, claimed, decision('release')],
  };
  return [placing, ...endings[plan.ending]];
}

async function pay(stage: Stage, buyer: Actor, bidId: number, provider: 'stripe' | 'paypal'): Promise<void> {
  const { payments } = stage.callsOf(buyer);
  if (provider === 'paypal') {
    const { orderId } = await payments.createPaypalOrder({ bidId });
    await stage.sandboxes.paypal?.approveOrder(orderId);
    await payments.capturePaypalOrder({ bidId });
    return;
  }
  const { clientSecret } = await payments.createIntent({ bidId });
  await stage.sandboxes.stripe?.confirmWithCard(clientSecret, TEST_CARD);
  await payments.refresh({ bidId });
}

/** A moderator's decision; in the demo one of the people plays that part, for this one act. */
async function decide(
  stage: Stage,
  cast: Cast,
  bidId: number,
  given: { decision: 'refund' | 'release'; note: string },
): Promise<void> {
  const moderator = [...cast.people.values()].find(({ username }) => username === MODERATOR);
  if (!moderator) throw new Error(`The demo knows nobody called ${MODERATOR}`);
  const { id } = await stage.db
    .selectFrom('paymentClaims')
    .innerJoin('paymentTransactions', 'paymentTransactions.id', 'paymentClaims.paymentId')
    .select('paymentClaims.id')
    .where('paymentTransactions.bidId', '=', bidId)
    .executeTakeFirstOrThrow();
  const actor: Actor = { ...moderator, role: 'moderator' };
  await decideClaim({ ...stage.contextOf(actor), actor }, { id, ...given });
}
