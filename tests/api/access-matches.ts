import { addDays, utcDay } from '#server/core/clock.ts';
import { createTestClock } from '#tests/support/builders.ts';
import {
  type AccessRow,
  activeParties,
  all,
  hiddenFromOthers,
  members,
  onlyOwner,
  parties,
} from './access-people.ts';

/** Within the days for which somebody can agree, of the tests' clock. */
const inTenDays = () => utcDay(addDays(createTestClock()(), 10));

/** The rows of matches and of market day. */
export const MATCHES_AND_MARKET_DAYS: Record<string, AccessRow> = {
  'marketDays.now': [all(200)],
  // Nothing was traded on this day.
  'marketDays.byDay': [all(404), () => ({ day: '2001-01-01' })],
  'marketDays.certificate': [all(404), () => ({ day: '2001-01-01' })],
  'marketDays.consents': [members],
  'marketDays.consentForWant': [
    // It gives nothing.
    { ...hiddenFromOthers, suspended: 403, owner: 409 },
    ({ wantId }) => ({ wantId, minValue: null, minHealth: 60, times: 1, until: inTenDays(), couponIds: [] }),
  ],
  'marketDays.withdrawWant': [hiddenFromOthers, ({ wantId }) => ({ wantId })],
  'marketDays.consentForCoupon': [
    onlyOwner,
    ({ couponId }) => ({ couponId, minValue: null, until: inTenDays() }),
  ],
  'marketDays.withdrawCoupon': [hiddenFromOthers, ({ couponId }) => ({ couponId })],
  'matches.list': [members],
  'matches.count': [members],
  'matches.market': [all(200)],
  'matches.forCoupon': [members, ({ couponId }) => ({ couponId })],
  'matches.dismiss': [parties, ({ matchId }) => ({ id: matchId, reason: 'not_interested' })],
  'matches.propose': [activeParties, ({ matchId }) => ({ id: matchId, message: 'Shall we?' })],
};
