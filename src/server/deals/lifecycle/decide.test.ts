import { describe, expect, it } from 'vitest';
import { DEAL_STATUSES } from '#contract/deals/deals.ts';
import {
  acceptedDeal,
  type DoomedDeal,
  type DueDeal,
  decideEndings,
  decideExpiry,
  type Ending,
  type EndingChange,
  expiredOf,
  type FoundDeal,
} from './decide.ts';
import { ENDINGS, type RuleReason } from './rules.ts';

/** How deals end: exchange 1 and bid 1 are named, the others are on coupon 10. */

const AT = new Date('2035-06-15T12:00:00Z');

const exchange = (status: FoundDeal['status'], id = 1): FoundDeal => ({
  kind: 'exchange',
  id,
  status,
  version: 1,
});
const bid = (status: FoundDeal['status'], id = 1): FoundDeal => ({ kind: 'bid', id, status, version: 1 });
const RIVALS = [exchange('pending', 8), bid('pending', 9)];

const because = (reason: RuleReason, ...deals: readonly DoomedDeal[]): Ending => ({
  ...{ reason, deals, couponIds: [10], actorId: null, at: AT },
});
const pendingDeal = (kind: FoundDeal['kind'], version?: number): DoomedDeal => ({
  ...{ kind, id: 1, from: 'pending' },
  ...(version !== undefined && { version }),
});
const ACCEPTED_EXCHANGE = acceptedDeal({ exchangeId: 1 });
const ACCEPTED_BID = acceptedDeal({ bidId: 1 });

const end = (
  deals: FoundDeal['kind'],
  from: DoomedDeal['from'],
  ...ids: readonly number[]
): EndingChange => ({
  ...{ kind: 'end', deals, ids, from, to: 'cancelled' },
});
const tell = (action: 'rejected' | 'cancelled' | 'expired'): EndingChange => ({ kind: 'tell', action });
const FREE_EXCHANGE: EndingChange = { kind: 'free', deal: { exchangeId: 1 } };
const FREE_BID: EndingChange = { kind: 'free', deal: { bidId: 1 } };
const END_RIVALS = [end('exchange', 'pending', 8), end('bid', 'pending', 9)];

describe('deals end', () => {
  it.each<[string, readonly FoundDeal[], Ending, readonly EndingChange[]]>([
    [
      'a bid on the coupon was accepted: other bids, not exchanges',
      RIVALS,
      because('rival_accepted'),
      [{ kind: 'end', deals: 'bid', ids: [9], from: 'pending', to: 'rejected' }, tell('rejected')],
    ],
    ...(['rival_completed', 'coupon_deleted', 'coupon_changed', 'party_banned', 'code_refused'] as const).map(
      (reason): [string, readonly FoundDeal[], Ending, readonly EndingChange[]] => [
        `${reason}: all that is pending on the coupon`,
        RIVALS,
        because(reason),
        [...END_RIVALS, tell('cancelled')],
      ],
    ),
    ['deadline: only what is named', RIVALS, because('deadline'), []],
    ['coupon_expired: only what is named', RIVALS, because('coupon_expired'), []],
    ['party_left: only what is named', RIVALS, because('party_left'), []],
    [
      'the time to answer a proposal is over',
      [exchange('pending')],
      because('deadline', pendingDeal('exchange', 1)),
      [end('exchange', 'pending', 1), tell('expired')],
    ],
    [
      'the time to pay a bid is over',
      [bid('accepted')],
      because('deadline', ACCEPTED_BID),
      [end('bid', 'accepted', 1), FREE_BID, tell('expired')],
    ],
    [
      'a coupon of an accepted exchange has expired',
      [exchange('accepted')],
      because('coupon_expired', ACCEPTED_EXCHANGE),
      [end('exchange', 'accepted', 1), FREE_EXCHANGE, tell('expired')],
    ],
    [
      'the code of a sale is refused: its coupon is taken off the lists',
      [bid('accepted'), ...RIVALS],
      because('code_refused', ACCEPTED_BID),
      [
        ...END_RIVALS,
        end('bid', 'accepted', 1),
        FREE_BID,
        { kind: 'delist', couponId: 10 },
        tell('cancelled'),
      ],
    ],
    [
      'the code of a sale that is over is refused',
      [bid('completed'), ...RIVALS],
      because('code_refused', ACCEPTED_BID),
      [],
    ],
    [
      'the coupon of an accepted deal has gone back to its seller',
      [exchange('accepted'), ...RIVALS],
      because('rival_completed', ACCEPTED_EXCHANGE),
      [...END_RIVALS, end('exchange', 'accepted', 1), FREE_EXCHANGE, tell('cancelled')],
    ],
    [
      'somebody is banned',
      [exchange('accepted'), bid('pending')],
      because('party_banned', ACCEPTED_EXCHANGE, pendingDeal('bid')),
      [end('bid', 'pending', 1), end('exchange', 'accepted', 1), FREE_EXCHANGE, tell('cancelled')],
    ],
    [
      'somebody has left, and one of their deals has moved on',
      [exchange('accepted'), bid('pending')],
      because('party_left', pendingDeal('exchange'), pendingDeal('bid')),
      [end('bid', 'pending', 1), tell('cancelled')],
    ],
    ['a named deal has moved on', [exchange('accepted')], because('deadline', pendingDeal('exchange')), []],
    ['a named deal is not found', RIVALS, because('rival_completed', ACCEPTED_EXCHANGE), []],
    [
      'a named deal has other legs',
      [exchange('pending')],
      because('deadline', pendingDeal('exchange', 2)),
      [],
    ],
    [
      'an exchange has the number of a named bid',
      [exchange('accepted')],
      because('deadline', ACCEPTED_BID),
      [],
    ],
    ['an accepted deal is on the coupon', [exchange('accepted', 8)], because('coupon_changed'), []],
  ])('when %s', (_, found, ending, changes) => {
    expect(decideEndings(found, ending)).toEqual(changes);
  });

  it('in the order of their states, whatever the order in which they were found', () => {
    const named = because('party_left', ACCEPTED_BID, pendingDeal('exchange'));
    expect(decideEndings([bid('accepted'), exchange('pending')], named)).toEqual([
      end('exchange', 'pending', 1),
      end('bid', 'accepted', 1),
      FREE_BID,
      tell('cancelled'),
    ]);
  });

  it('only while they are open; whatever ends an accepted one frees its coupons once, and says so once', () => {
    const reasons = Object.keys(ENDINGS) as RuleReason[];
    const named = [ACCEPTED_EXCHANGE, ACCEPTED_BID, pendingDeal('exchange'), pendingDeal('bid', 1)];
    let ends = 0;
    for (const reason of reasons)
      for (const deals of [[], ...named.map((deal) => [deal])])
        for (const status of DEAL_STATUSES) {
          const changes = decideEndings([exchange(status), bid(status)], because(reason, ...deals));
          const ended = changes.flatMap((change) =>
            change.kind === 'end' ? change.ids.map(() => change.from) : [],
          );
          const freed = changes.filter(({ kind }) => kind === 'free');
          if (status !== 'pending' && status !== 'accepted') expect(changes).toEqual([]);
          expect(ended.every((from) => from === status)).toBe(true);
          expect(freed).toHaveLength(ended.filter((from) => from === 'accepted').length);
          expect(changes.filter(({ kind }) => kind === 'tell')).toHaveLength(ended.length > 0 ? 1 : 0);
          ends += ended.length;
        }
    expect(ends).toBeGreaterThan(0);
  });
});

describe('a deal that was found to be due', () => {
  const due: DueDeal = {
    ...{ kind: 'bid', id: 1, from: 'pending', reason: 'coupon_expired', couponIds: [10, 11], version: 3 },
  };
  const coupons = (...ends: readonly (number | null)[]) =>
    ends.map((ms, place) => ({
      id: 10 + place,
      expiresAt: ms === null ? null : new Date(AT.getTime() + ms),
    }));
  const named = { kind: 'bid', id: 1, from: 'pending', version: 3 };

  it.each([
    [
      'ends by the coupons that have expired',
      due,
      coupons(1, -1),
      { reason: 'coupon_expired', couponIds: [11] },
    ],
    ['stays if they have got another last day', due, coupons(1, 1), null],
    ['stays if they never expire any more', due, coupons(null, null), null],
    ['stays on the last instant of its coupon', due, coupons(0, 0), null],
    [
      'ends by its deadline, whatever its coupons are',
      { ...due, reason: 'deadline' as const },
      coupons(-1, 1),
      { reason: 'deadline', couponIds: [] },
    ],
  ])('%s', (_, found, locked, ending) => {
    const expected = ending && { ...ending, deals: [expect.objectContaining(named)], actorId: null, at: AT };
    expect(decideExpiry(found, locked, AT)).toEqual(expected);
  });
});

it('a coupon has expired when its last day is over', () => {
  const ends = [-1, 0, 1].map((ms, id) => ({ id, expiresAt: new Date(AT.getTime() + ms) }));
  expect(expiredOf([...ends, { id: 3, expiresAt: null }], AT)).toEqual([0]);
});
