import { describe, expect, it } from 'vitest';
import { DEAL_STATUSES } from '#contract/deals/deals.ts';
import { AppError } from '#server/core/errors.ts';
import {
  ANNS,
  ask,
  BEFORE,
  BOS,
  CODES,
  minted,
  PAID,
  price,
  refusedBy,
  reissue,
  ring,
  SEEN,
  swap,
  TO_ANN,
  TO_BO,
  UNPAID,
} from '#tests/support/exchange-cases.ts';
import {
  completerOf,
  decide,
  type ExchangeChange,
  type ExchangeHappening,
  type ExchangeNow,
  judgeMint,
} from './decide.ts';

/** What follows for an exchange from what happens to it. */

const MOVES = [
  { couponId: 20, fromUserId: 2, toUserId: 1 },
  { couponId: 10, fromUserId: 1, toUserId: 2 },
];
const COMPLETION: ExchangeChange[] = [
  { kind: 'move', from: 'accepted', to: 'completed', reason: null, endedById: null },
  { kind: 'transfer', moves: MOVES },
  { kind: 'free' },
  { kind: 'endRivals', couponIds: [20, 10] },
  { kind: 'count', userIds: [1, 2] },
];
const tell = (transition: Extract<ExchangeChange, { kind: 'tell' }>['transition']): ExchangeChange => ({
  kind: 'tell',
  transition,
});
const consent = (userId: number, isLast: boolean): ExchangeChange => ({ kind: 'consent', userId, isLast });
const RESERVE: ExchangeChange = { kind: 'reserve', couponIds: [20, 10] };
describe('an exchange', () => {
  it.each<[string, ExchangeNow, ExchangeHappening, readonly ExchangeChange[]]>([
    ['its last consent', swap('pending'), ask('accepted', 2), [consent(2, true), RESERVE, tell('accept')]],
    ['a consent that is not the last', ring(1), ask('accepted', 2), [consent(2, false), tell('consent')]],
    [
      'a consent that is not the last, to prices',
      {
        ...ring(1),
        exchange: {
          ...ring(1).exchange,
          legs: [{ ...TO_BO, price: price(null) }, ...ring(1).exchange.legs.slice(1)],
        },
      },
      ask('accepted', 3, { seen: { prices: [{ couponId: 10, amount: '5.00' }] } }),
      [consent(3, false), tell('consent')],
    ],
    [
      'the last consent to a ring',
      ring(1, 3),
      ask('accepted', 2),
      [consent(2, true), { kind: 'reserve', couponIds: [10, 20, 30] }, tell('accept')],
    ],
    [
      'the last consent to a price',
      swap('pending', { legs: UNPAID }),
      ask('accepted', 2, { seen: SEEN }),
      [consent(2, true), RESERVE, { kind: 'addPriceBids' }, tell('accept')],
    ],
    [
      'a consent without prices, on a page with old fees',
      swap('pending'),
      ask('accepted', 2, refusedBy('fees')),
      [consent(2, true), RESERVE, tell('accept')],
    ],
    [
      'a refusal',
      swap('pending'),
      ask('rejected', 2),
      [{ kind: 'move', from: 'pending', to: 'rejected', reason: 'by_owner', endedById: 2 }, tell('reject')],
    ],
    [
      'a refusal by one of a ring',
      ring(1),
      ask('rejected', 3),
      [{ kind: 'move', from: 'pending', to: 'rejected', reason: 'by_party', endedById: 3 }, tell('reject')],
    ],
    [
      'a withdrawal',
      swap('pending'),
      ask('cancelled', 1),
      [
        { kind: 'move', from: 'pending', to: 'cancelled', reason: 'by_requester', endedById: 1 },
        tell('withdraw'),
      ],
    ],
    [
      'a change of mind after the acceptance',
      swap('accepted'),
      ask('cancelled', 2),
      [
        { kind: 'move', from: 'accepted', to: 'cancelled', reason: 'by_owner', endedById: 2 },
        { kind: 'free' },
        tell('cancel'),
      ],
    ],
    [
      'a change of mind from the state that was asked for',
      swap('accepted'),
      ask('cancelled', 1, { from: 'accepted' }),
      [
        { kind: 'move', from: 'accepted', to: 'cancelled', reason: 'by_requester', endedById: 1 },
        { kind: 'free' },
        tell('cancel'),
      ],
    ],
    [
      'its completion by its author',
      swap('accepted'),
      ask('completed', 1),
      [...COMPLETION, tell('complete')],
    ],
    ['its completion by the other', swap('accepted'), ask('completed', 2), [...COMPLETION, tell('complete')]],
    [
      'its completion, where a programme makes a new code',
      swap('accepted'),
      ask('completed', 2, { mintable: [10, 99] }),
      [{ kind: 'mint', actorId: 2, legs: [{ couponId: 10, receiverId: 2 }] }],
    ],
    [
      'its new codes',
      swap('accepted'),
      minted(...CODES),
      [
        { kind: 'replaceCodes', codes: CODES },
        ...COMPLETION,
        { kind: 'endMinted', codes: CODES },
        tell('complete'),
      ],
    ],
    [
      'its last price',
      swap('accepted', { legs: PAID }),
      { kind: 'paid' },
      [
        { kind: 'completePriceBids' },
        ...COMPLETION,
        { kind: 'queueCodes', moves: MOVES, paid: [TO_ANN.coupon.id] },
        tell('settle'),
      ],
    ],
    ['one of two prices', swap('accepted', { legs: UNPAID }), { kind: 'paid' }, []],
    [
      'one price while another is open',
      swap('accepted', { legs: [...PAID.slice(0, 1), { ...TO_BO, price: price(null) }] }),
      { kind: 'paid' },
      [],
    ],
    ['a price after its end', swap('cancelled', { legs: PAID }), { kind: 'paid' }, []],
    [
      'its last price after a coupon has expired',
      swap('accepted', { legs: PAID }, [{ ...ANNS, expiresAt: BEFORE }, BOS]),
      { kind: 'paid' },
      [{ kind: 'expire', couponIds: [10] }],
    ],
    [
      'its last price, of coupons that never expire',
      swap('accepted', { legs: PAID }, [ANNS, BOS].map((one) => ({ ...one, expiresAt: null })) as never),
      { kind: 'paid' },
      [
        { kind: 'completePriceBids' },
        ...COMPLETION,
        { kind: 'queueCodes', moves: MOVES, paid: [TO_ANN.coupon.id] },
        tell('settle'),
      ],
    ],
    [
      'its last price after a ban has hidden a coupon',
      swap('accepted', { legs: PAID }, [{ ...ANNS, isActive: false }, BOS]),
      { kind: 'paid' },
      [],
    ],
  ])('follows %s', (_, now, happening, changes) => {
    expect(decide(now, happening)).toEqual(changes);
  });
});

describe('a new code that is asked for before the coupons move', () => {
  it.each([
    ['minted', false, 'go on'],
    ['minted', true, 'go on'],
    ['refused', true, 'go on'],
    ['refused', false, 'refused'],
    ['unreached', true, 'unreached'],
    ['unreached', false, 'unreached'],
    [null, true, 'wait'],
    [null, false, 'wait'],
  ] as const)('that is %s (acknowledged: %s) lets the exchange %s', (answer, isAcknowledged, verdict) => {
    expect(judgeMint(answer, isAcknowledged)).toBe(verdict);
  });

  it.each([
    ['accepted', ['minting', 'minted'], 1],
    ['accepted', ['minted', 'restoring'], null],
    ['accepted', [], null],
    ['cancelled', ['minted'], null],
    [undefined, ['minted'], null],
  ] as const)(
    'in an exchange that is %s, and these codes %j, is gone on with or restored',
    (status, states, actorId) => {
      expect(completerOf(status, states.map(reissue))).toBe(actorId);
    },
  );
});

/** Everything that can happen, in every state. */
const EVERYTHING = DEAL_STATUSES.flatMap((status) =>
  [[TO_ANN, TO_BO], UNPAID, PAID].flatMap((legs) =>
    [
      [ANNS, BOS],
      [{ ...ANNS, expiresAt: BEFORE }, BOS],
      [ANNS, { ...BOS, ownerId: 3 }],
    ].flatMap((coupons) => {
      const asked = ([1, 2] as const).flatMap((actorId) =>
        (['accepted', 'rejected', 'cancelled', 'completed'] as const).flatMap((to) =>
          [{}, { seen: SEEN }, { mintable: [10] }].map((over) => ask(to, actorId, over)),
        ),
      );
      const happenings: ExchangeHappening[] = [...asked, minted(...CODES), { kind: 'paid' }];
      return happenings.map((happening) => ({ now: swap(status, { legs }, coupons), happening }));
    }),
  ),
);

describe('whatever happens to an exchange', () => {
  const decided = EVERYTHING.map(({ now, happening }) => {
    const decision = decide(now, happening);
    const changes = decision instanceof AppError ? [] : decision;
    return { ...now.exchange, kinds: changes.map(({ kind }) => kind), changes };
  });
  const every = (kind: ExchangeChange['kind'], of: readonly string[]) =>
    of.filter((one) => one === kind).length;

  it('whoever ends an accepted one frees its coupons, and nothing else does', () => {
    const freeing = decided.filter(({ kinds }) => kinds.includes('free'));
    const ending = decided.filter(
      ({ status, changes }) => status === 'accepted' && changes.some(({ kind }) => kind === 'move'),
    );
    expect(freeing).toEqual(ending);
    expect(freeing.length).toBeGreaterThan(0);
  });

  it('its coupons move at once, together, and are counted once', () => {
    const moving = decided.filter(({ kinds }) => kinds.includes('transfer'));
    expect(moving.length).toBeGreaterThan(0);
    for (const { status, kinds, changes } of moving) {
      expect(status).toBe('accepted');
      for (const kind of ['move', 'transfer', 'free', 'endRivals', 'count', 'tell'] as const)
        expect(every(kind, kinds)).toBe(1);
      expect(changes).toEqual(expect.arrayContaining(COMPLETION));
    }
  });

  it('what has ended stays as it is', () => {
    const ended = decided.filter(({ status }) => status !== 'pending' && status !== 'accepted');
    expect(ended.flatMap(({ changes }) => changes)).toEqual([]);
  });

  it('every change is told of once, last, but where new codes are awaited', () => {
    for (const { kinds } of decided.filter(({ changes }) => changes.length > 0)) {
      if (kinds.includes('mint') || kinds.includes('expire')) expect(kinds).toHaveLength(1);
      else expect([every('tell', kinds), kinds.at(-1)]).toEqual([1, 'tell']);
    }
  });
});
