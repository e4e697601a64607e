import { describe, expect, it } from 'vitest';
import {
  ANNS,
  AT,
  ask,
  BEFORE,
  BOS,
  CODES,
  minted,
  PAID,
  price,
  REFUSAL,
  refusedBy,
  reissue,
  ring,
  SEEN,
  swap,
  TO_BO,
  UNPAID,
} from '#tests/support/exchange-cases.ts';
import { decide, type ExchangeHappening, type ExchangeNow } from './decide.ts';

describe('an exchange', () => {
  it.each<[string, ExchangeNow, ExchangeHappening, code: string, text: string | RegExp]>([
    ['whoever proposed it to accept it', swap('pending'), ask('accepted', 1), 'forbidden', /Only the owner/],
    [
      'the other to withdraw it',
      swap('pending'),
      ask('cancelled', 2),
      'forbidden',
      /Only the person who asked/,
    ],
    ['one of a ring to withdraw it', ring(1), ask('cancelled', 2), 'forbidden', /who proposed this ring/],
    [
      'a completion before the acceptance',
      swap('pending'),
      ask('completed', 2),
      'deal_changed',
      'This exchange is still pending.',
    ],
    [
      'an acceptance after the end',
      swap('rejected'),
      ask('accepted', 2),
      'deal_changed',
      'This exchange is already rejected.',
    ],
    [
      'a move from another state than was asked for',
      swap('accepted'),
      ask('cancelled', 1, { from: 'pending' }),
      'deal_changed',
      'This exchange is already accepted.',
    ],
    [
      'whoever has seen other coupons',
      swap('pending'),
      ask('accepted', 2, { seen: { couponIds: [10] } }),
      'deal_changed',
      /just changed/,
    ],
    [
      'whoever has seen another offer',
      swap('pending'),
      ask('accepted', 2, { seen: { offeredCouponId: 20 } }),
      'deal_changed',
      /just changed/,
    ],
    [
      'whoever has seen other prices',
      swap('pending', { legs: UNPAID }),
      ask('accepted', 2, { seen: { prices: [] } }),
      'deal_changed',
      /just changed/,
    ],
    [
      'a move while its coupons change',
      swap('pending', {}, [ANNS]),
      ask('rejected', 2),
      'deal_changed',
      /just changed/,
    ],
    [
      'a consent without the prices',
      swap('pending', { legs: UNPAID }),
      ask('accepted', 2),
      'bad_input',
      'Enter the prices that you agree to',
    ],
    [
      'a consent to what has expired',
      swap('pending', {}, [{ ...ANNS, expiresAt: BEFORE }, BOS]),
      ask('accepted', 2),
      'coupon_unavailable',
      /has expired/,
    ],
    [
      'a consent to a price for somebody whose sales are stopped',
      swap('pending', { legs: UNPAID }, [ANNS, { ...BOS, isSaleStopped: true }]),
      ask('accepted', 2, { seen: SEEN }),
      'coupon_unavailable',
      /until a moderator has looked/,
    ],
    [
      'a consent to what is no longer the giver’s',
      swap('pending', {}, [ANNS, { ...BOS, ownerId: 3 }]),
      ask('accepted', 2),
      'coupon_unavailable',
      /changed hands/,
    ],
    [
      'a consent of whoever has too many deals',
      swap('pending'),
      ask('accepted', 2, refusedBy('deals')),
      'conflict',
      REFUSAL.message,
    ],
    [
      'a second consent',
      ring(1, 2),
      ask('accepted', 2),
      'deal_changed',
      'You have already agreed to this exchange.',
    ],
    [
      'a last consent to prices at other fees',
      swap('pending', { legs: UNPAID }),
      ask('accepted', 2, { seen: SEEN, ...refusedBy('fees') }),
      'conflict',
      REFUSAL.message,
    ],
    [
      'a cancellation while codes are made',
      swap('accepted'),
      ask('cancelled', 2, refusedBy('codes')),
      'conflict',
      REFUSAL.message,
    ],
    [
      'a completion with a code that has changed',
      swap('accepted'),
      ask('completed', 2, refusedBy('codes')),
      'conflict',
      REFUSAL.message,
    ],
    [
      'a completion of what has expired, before a code is made',
      swap('accepted', {}, [ANNS, { ...BOS, expiresAt: BEFORE }]),
      ask('completed', 2, { mintable: [10] }),
      'coupon_unavailable',
      /has expired/,
    ],
    [
      'a completion before the payment',
      swap('accepted', { legs: UNPAID }),
      ask('completed', 2),
      'conflict',
      'person1 ($5.00 CAD) still has to pay. Then the coupons change hands.',
    ],
    [
      'a completion before two payments',
      swap('accepted', {
        legs: [...UNPAID.slice(0, 1), { ...TO_BO, price: price(null, '7.50') }],
        deadlineAt: AT,
      }),
      ask('completed', 2),
      'conflict',
      /^person1 \(\$5\.00 CAD\) and person2 \(\$7\.50 CAD\) still have to pay by .+ at .+ UTC\. Then the coupons change hands\.$/,
    ],
    [
      'a completion before one payment in time',
      swap('accepted', { legs: UNPAID, deadlineAt: AT }),
      ask('completed', 2),
      'conflict',
      /^person1 \(\$5\.00 CAD\) still has to pay by /,
    ],
    [
      'a completion while a bank disputes a payment',
      swap('accepted', { legs: PAID }),
      ask('completed', 2),
      'conflict',
      /A bank disputes/,
    ],
    [
      'new codes after the end',
      swap('cancelled'),
      minted(...CODES),
      'deal_changed',
      'This exchange is already cancelled.',
    ],
    [
      'new codes of which one is not there',
      swap('accepted'),
      minted(...CODES, reissue('restoring')),
      'deal_changed',
      /A code has just changed/,
    ],
    [
      'new codes of what has expired',
      swap('accepted', {}, [{ ...ANNS, expiresAt: BEFORE }, BOS]),
      minted(...CODES),
      'coupon_unavailable',
      /has expired/,
    ],
    [
      'payments for what its giver has deleted',
      swap('accepted', { legs: PAID }, [{ ...ANNS, deletedAt: AT as never }, BOS]),
      { kind: 'paid' },
      'coupon_unavailable',
      /no longer available/,
    ],
  ])('refuses %s', (_, now, happening, code, text) => {
    const refusal = decide(now, happening);
    const message = typeof text === 'string' ? text : expect.stringMatching(text);
    expect(refusal).toMatchObject({ code, message });
  });

  it('names the field that lacks the prices', () => {
    const refusal = decide(swap('pending', { legs: UNPAID }), ask('accepted', 2));
    expect(refusal).toMatchObject({ issues: [{ path: 'prices' }] });
  });
});
