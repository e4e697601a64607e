import { describe, expect, it } from 'vitest';
import { DEFAULT_FEE_RATES, feesOf, smallestBid } from '#contract/money/fees.ts';
import { createRandom } from '#tests/support/random.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import {
  type BookedPayment,
  balancesOf,
  differenceOf,
  dueToSeller,
  feeShareOf,
  JOURNALS,
  NO_TOTALS,
  payableFromReserve,
  reserveOf,
  stayingInReserve,
  type Totals,
  uncoveredDebt,
} from './rules.ts';

const PROVIDERS = ['stripe', 'paypal'] as const;
type Provider = (typeof PROVIDERS)[number];

function paymentOf(amount: number, provider: Provider = 'stripe'): BookedPayment {
  const { buyerTotal, netAmount, platformFee } = feesOf(amount, DEFAULT_FEE_RATES);
  return { id: 1, provider, receiverId: 7, buyerTotal, netAmount, platformFee };
}

/** The balances of a payment of 10.00, zeros left out. */
function standOf(provider: Provider, totals: Partial<Totals>): Record<string, number> {
  const all = balancesOf(paymentOf(1_000, provider), { ...NO_TOTALS, ...totals });
  const entries = all.filter(({ amount }) => amount !== 0);
  return Object.fromEntries(entries.map(({ account, amount }) => [account.kind, amount]));
}

const PAID = { captured: 1_050, providerFees: 60 };

describe('the books of a payment', () => {
  it.each<[string, Provider, Partial<Totals>, Record<string, number>]>([
    [
      'captured',
      'stripe',
      PAID,
      { provider_clearing: 990, seller_payable: -950, platform_fees: -100, provider_fees: 60 },
    ],
    ['captured', 'paypal', PAID, { provider_clearing: 990, seller_payable: -890, platform_fees: -100 }],
    [
      'paid out',
      'stripe',
      { ...PAID, transferred: 950 },
      { provider_clearing: 40, platform_fees: -100, provider_fees: 60 },
    ],
    ['paid out', 'paypal', { ...PAID, transferred: 890 }, { provider_clearing: 100, platform_fees: -100 }],
    [
      'refunded',
      'stripe',
      { ...PAID, refunded: 1_050, feesRefunded: 100 },
      { provider_clearing: -60, provider_fees: 60 },
    ],
    [
      'refunded',
      'paypal',
      { ...PAID, refunded: 1_050, feesRefunded: 100 },
      { provider_clearing: -60, provider_fees: 60 },
    ],
    [
      'refunded by a cent out of the seller’s part',
      'paypal',
      { ...PAID, refunded: 1 },
      { provider_clearing: 989, seller_payable: -889, platform_fees: -100 },
    ],
    [
      'refunded by 3.00',
      'stripe',
      { ...PAID, refunded: 300, feesRefunded: 29 },
      { provider_clearing: 690, seller_payable: -679, platform_fees: -71, provider_fees: 60 },
    ],
    [
      'disputed, with the bank’s fee',
      'stripe',
      { ...PAID, providerFees: 1_560, withdrawn: 1_050 },
      {
        provider_clearing: -1_560,
        seller_payable: -950,
        platform_fees: -100,
        provider_fees: 1_560,
        disputes: 1_050,
      },
    ],
    [
      'lost in part',
      'stripe',
      { ...PAID, withdrawn: 500, lost: 500 },
      { provider_clearing: 490, seller_payable: -498, platform_fees: -52, provider_fees: 60 },
    ],
    [
      'lost after the payout',
      'stripe',
      { ...PAID, transferred: 950, withdrawn: 1_050, lost: 1_050 },
      { provider_clearing: -1_010, seller_payable: 950, provider_fees: 60 },
    ],
    [
      'lost after a payout from which a debt of 3.00 was kept back',
      'stripe',
      { ...PAID, transferred: 650, withdrawn: 1_050, lost: 1_050, offset: 300 },
      { provider_clearing: -710, seller_payable: 950, provider_fees: 60, offsets: -300 },
    ],
    [
      'lost after the payout, covered by 3.00 of another, and written off',
      'stripe',
      { ...PAID, transferred: 950, withdrawn: 1_050, lost: 1_050, offset: -300, writtenOff: 650 },
      { provider_clearing: -1_010, provider_fees: 60, losses: 650, offsets: 300 },
    ],
    [
      'lost after the payout, and collected from the seller',
      'paypal',
      { ...PAID, transferred: 890, withdrawn: 1_050, lost: 1_050, collected: 890 },
      { provider_clearing: -60, provider_fees: 60 },
    ],
    [
      'refunded and lost',
      'stripe',
      { ...PAID, refunded: 1_050, feesRefunded: 100, withdrawn: 1_050, lost: 1_050 },
      { provider_clearing: -1_110, provider_fees: 60, losses: 1_050 },
    ],
    [
      'awarded by a late claim after the payout, and waiting',
      'stripe',
      { ...PAID, transferred: 950, awarded: 1_050 },
      { provider_clearing: 40, seller_payable: 950, provider_fees: 60, awards: -1_050 },
    ],
    [
      'awarded, covered by the reserve, and refunded',
      'stripe',
      { ...PAID, transferred: 950, awarded: 1_050, covered: 950, refunded: 1_050, feesRefunded: 100 },
      { provider_clearing: -1_010, seller_payable: 950, provider_fees: 60, reserve: 950, advances: -950 },
    ],
    [
      'awarded, covered in part, refunded, and written off',
      'stripe',
      { ...PAID, transferred: 950, awarded: 1_050, covered: 300, refunded: 1_050, writtenOff: 950 },
      { provider_clearing: -1_010, provider_fees: 60, reserve: 300, losses: 650 },
    ],
    [
      'final, with a part of the fees in the reserve',
      'stripe',
      { ...PAID, transferred: 950, reserved: 20 },
      { provider_clearing: 40, platform_fees: -80, provider_fees: 60, reserve: -20 },
    ],
  ])('that is %s by %s', (_, provider, totals, stand) => {
    expect(standOf(provider, totals)).toEqual(stand);
  });

  it('book a change on the accounts that it moves, and on no others', () => {
    const paid = { ...NO_TOTALS, ...PAID };
    expect(differenceOf(paymentOf(1_000), paid, { ...paid, transferred: 950 })).toEqual([
      { account: { kind: 'provider_clearing', provider: 'stripe' }, amount: -950 },
      { account: { kind: 'seller_payable', userId: 7 }, amount: 950 },
    ]);
  });

  it('add up to zero, and a refund in parts comes to the same cent as a whole one, for every bid', () => {
    const wrong = [];
    for (let amount = smallestBid(); amount <= 200_000; amount += 1) {
      for (const provider of PROVIDERS) {
        const payment = paymentOf(amount, provider);
        const { buyerTotal, platformFee, netAmount } = payment;
        const refunded = (amount * 7_919) % (buyerTotal + 1);
        const feesRefunded = feeShareOf(payment, refunded);
        const totals = { ...NO_TOTALS, captured: buyerTotal, providerFees: 60, refunded, feesRefunded };
        const sum = balancesOf(payment, totals).reduce((total, entry) => total + entry.amount, 0);
        const isWhole = feeShareOf(payment, buyerTotal) === platformFee && feeShareOf(payment, 0) === 0;
        const share = dueToSeller(payment, { ...totals, providerFees: 0 });
        const isFair = share === Math.min(netAmount, netAmount - (refunded - feesRefunded));
        if (sum !== 0 || !isWhole || !isFair) wrong.push({ amount, provider, sum, share });
      }
    }
    expect(wrong).toEqual([]);
  });

  it('are the same for any order and multiplicity of reports', () => {
    const random = createRandom(20_261_122);
    for (let round = 0; round < shortOrLong(2_000, 20_000); round += 1) {
      const payment = paymentOf(smallestBid() + random(20_000), PROVIDERS[random(2)]);
      const report = (): Totals => ({
        captured: payment.buyerTotal,
        providerFees: random(2_000),
        refunded: random(payment.buyerTotal + 1),
        feesRefunded: random(payment.platformFee + 1),
        withdrawn: random(payment.buyerTotal + 1),
        lost: random(payment.buyerTotal + 1),
        transferred: random(payment.netAmount + 1),
        reversed: random(payment.netAmount + 1),
        offset: random(2 * payment.netAmount) - payment.netAmount,
        collected: random(payment.netAmount + 1),
        writtenOff: random(payment.netAmount + 1),
        awarded: random(2) * payment.buyerTotal,
        reserved: random(payment.platformFee + 1),
        covered: random(payment.netAmount + 1),
      });
      const last = report();
      const reports = [...Array.from({ length: random(5) }, report), last, last];
      const sums = new Map<string, number>();
      let booked = NO_TOTALS;
      for (const totals of reports) {
        for (const [kind, total] of JOURNALS) {
          const next = { ...booked, [total]: totals[total] };
          if (kind === 'refund') next.feesRefunded = totals.feesRefunded;
          const entries = differenceOf(payment, booked, next);
          expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
          if (totals === booked) expect(entries).toEqual([]);
          for (const { account, amount } of entries)
            sums.set(account.kind, (sums.get(account.kind) ?? 0) + amount);
          booked = next;
        }
      }
      const direct = balancesOf(payment, last).map(({ account, amount }) => [account.kind, amount + 0]);
      expect(direct.map(([kind]) => [kind, sums.get(String(kind)) ?? 0])).toEqual(direct);
    }
  });
});

/** Lost after the payout: the seller owes 9.50. */
const OWED = { ...PAID, transferred: 950, withdrawn: 1_050, lost: 1_050 };

describe('the reserve', () => {
  it.each<[string, Partial<Totals>, number]>([
    ['nothing is owed', PAID, 0],
    ['all of the debt', OWED, 950],
    ['what it has not laid out', { ...OWED, covered: 300 }, 650],
    ['nothing, having laid out more than is owed by now', { ...OWED, covered: 950, collected: 100 }, 0],
    ['what is neither written off nor laid out', { ...OWED, covered: 300, writtenOff: 200 }, 650],
  ])('may lay out for a sale: %s', (_, totals, left) => {
    expect(uncoveredDebt(paymentOf(1_000), { ...NO_TOTALS, ...totals })).toBe(left);
  });

  it.each<[string, Partial<Totals>, boolean, ReturnType<typeof reserveOf>]>([
    ['a part of the fees of a final sale', PAID, true, { reserved: 20, covered: 0 }],
    ['nothing of one that is not final', PAID, false, { reserved: 0, covered: 0 }],
    ['what is there already', { ...PAID, reserved: 5 }, false, { reserved: 5, covered: 0 }],
    ['no more than its part', { ...PAID, reserved: 50 }, false, { reserved: 20, covered: 0 }],
    [
      'whole cents of the fees that are kept after a refund',
      { ...PAID, refunded: 300, feesRefunded: 29 },
      true,
      { reserved: 14, covered: 0 },
    ],
    ['nothing of a refunded sale', { ...PAID, refunded: 1_050 }, true, { reserved: 0, covered: 0 }],
    [
      'nothing, having laid out some of the debt',
      { ...OWED, covered: 300 },
      true,
      { reserved: 0, covered: 300 },
    ],
    ['nothing, having laid out too much', { ...OWED, covered: 999 }, true, { reserved: 0, covered: 950 }],
    [
      'nothing, having laid out what is written off',
      { ...OWED, covered: 999, writtenOff: 200 },
      true,
      { reserved: 0, covered: 950 },
    ],
  ])('should have %s', (_, totals, isFinal, expected) => {
    const payment = paymentOf(1_000);
    expect(reserveOf(payment, { ...NO_TOTALS, ...totals }, { percent: 20, isFinal })).toEqual(expected);
  });
});

it.each([
  ['all leaves a full one', 20, 0, 20, 0],
  ['a part stays, as the reserve holds less', 20, 0, 15, 5],
  ['what comes back may leave', 20, 15, 0, 5],
  ['more comes back than leaves', 20, 30, 0, 0],
])('of what leaves the reserve, %s', (_, leaves, cameBack, holds, expected) => {
  expect(stayingInReserve({ leaves, cameBack, holds })).toBe(expected);
});

// The first purchase is covered up to 20.00.
it.each([
  ['a quarter of it', { holds: 80_000, purchases: 2 }, 20_000],
  ['whole cents', { holds: 803, purchases: 2 }, 200],
  ['nothing out of an empty one', { holds: 0, purchases: 2 }, 0],
  ['without what the purchase has put in', { holds: 80_400, own: 400, purchases: 2 }, 20_000],
  ['nothing where the purchase alone is in it', { holds: 300, own: 400, purchases: 2 }, 0],
  ['what is left of the share for the buyer', { holds: 70_000, forBuyer: 10_000, purchases: 2 }, 10_000],
  [
    'what is left of the share against the seller',
    { holds: 70_000, againstSeller: 10_000, purchases: 2 },
    10_000,
  ],
  ['nothing after more than the share', { holds: 10_000, forBuyer: 10_000, purchases: 2 }, 0],
  ['less for a purchase that would be the first', { holds: 80_000, purchases: 0 }, 2_000],
  ['less for the first purchase', { holds: 80_000, own: 0, purchases: 1 }, 2_000],
  ['the share for a second purchase that is not final', { holds: 80_000, purchases: 1 }, 20_000],
  ['the share where it is less than the first cover', { holds: 4_000, purchases: 0 }, 1_000],
  ['what is left of the first cover', { holds: 80_000, forBuyer: 500, purchases: 0 }, 1_500],
  ['nothing after the first cover', { holds: 80_000, forBuyer: 2_500, purchases: 0 }, 0],
])('the reserve could pay %s', (_, use, expected) => {
  const known = { holds: 0, own: null, forBuyer: 0, againstSeller: 0, purchases: 0 };
  expect(payableFromReserve({ ...known, ...use })).toBe(expected);
});
