import { beforeEach, describe, expect, it } from 'vitest';
import { type ProgrammeVoucher, setUpProgramme } from '#tests/support/voucher-programme.ts';
import { httpAt, json, MERCHANT, setUpSandboxServers } from '#tests/support/voucher-sandbox.ts';
import { openValidators } from './open-validators.ts';

const programme = setUpProgramme();
const startServer = setUpSandboxServers();

const [OLD, NEW] = ['OLD-KQZ-4711', 'NEW2-WXYZ-3456'];
const GIVEN = { merchant: MERCHANT, code: OLD, newCode: NEW, key: '0190f5a0-0000-7000-8000-000000000001' };
const valid = () => [OLD, NEW].filter(programme.isValid);

beforeEach(() => {
  programme.vouchers.clear();
  programme.issue(OLD);
});

describe('voucherify', () => {
  it('gets an exact copy of what is left, and never are both valid', async () => {
    const rest = {
      campaign_id: 'camp_FNYR4jhqZBM9xTptxDGgeNBV',
      category_id: 'cat_0bb343dee3cdb5ec0c',
      start_date: '2026-01-01T00:00:00.000Z',
      expiration_date: '2036-01-01T00:00:00.000Z',
      validity_timeframe: { duration: 'PT1H', interval: 'P2D' },
      validity_day_of_week: [1, 2, 3],
      validity_hours: { daily: [{ start_time: '12:00', expiration_time: '14:00', days_of_week: [1] }] },
      additional_info: 'Lunch {code}',
      metadata: { shop: 'Main Street' },
      validation_rules: ['val_4j7DCRm2IS59'],
    };
    programme.issue(OLD, { redemption: { quantity: 3, redeemed_quantity: 1 }, rest });
    const most: string[][] = [];
    programme.stopping = () => {
      most.push(valid());
      return null;
    };
    expect(await programme.validators.reissue(GIVEN)).toEqual({ kind: 'reissued', code: NEW });
    expect(programme.faults).toEqual([]);
    expect(valid()).toEqual([NEW]);
    expect(most.filter((codes) => codes.length > 1)).toEqual([]);
    expect(programme.vouchers.get(NEW)).toMatchObject({
      redemption: { quantity: 2, redeemed_quantity: 0 },
      discount: programme.vouchers.get(OLD)?.discount,
      rest,
    });
  });

  it('gets a gift card with what is left on it', async () => {
    const gift = { amount: 5_000, balance: 1_234, effect: 'APPLY_TO_ORDER' };
    programme.issue(OLD, { type: 'GIFT_VOUCHER', discount: null, gift });
    expect((await programme.validators.reissue(GIVEN)).kind).toBe('reissued');
    expect(programme.faults).toEqual([]);
    expect(programme.vouchers.get(NEW)?.gift).toMatchObject({ amount: 1_234, balance: 1_234 });
  });

  it.each<[string, Partial<ProgrammeVoucher>]>([
    ['a loyalty card', { type: 'LOYALTY_CARD' }],
    ['a voucher that is withdrawn', { active: false }],
    ['a voucher that is used up', { redemption: { quantity: 1, redeemed_quantity: 1 } }],
  ])('leaves %s as it is', async (_what, given) => {
    programme.issue(OLD, given);
    const before = programme.isValid(OLD);
    expect(await programme.validators.reissue(GIVEN)).toEqual({ kind: 'refused' });
    expect(programme.isValid(OLD)).toBe(before);
    expect(programme.vouchers.has(NEW)).toBe(false);
  });

  it('refuses a code that is used in the moment before it is retired', async () => {
    programme.issue(OLD, { redemption: { quantity: 2, redeemed_quantity: 0 } });
    programme.stopping = (request) => {
      const voucher = programme.vouchers.get(OLD);
      if (request.endsWith('/disable') && voucher) voucher.redemption.redeemed_quantity = 1;
      return null;
    };
    expect(await programme.validators.reissue(GIVEN)).toEqual({ kind: 'refused' });
    expect(valid()).toEqual([OLD]);
  });

  /** How many requests a whole reissue makes, and what happens when one of them is stopped. */
  async function stopAt(place: number, stop: 'before' | 'after') {
    let count = 0;
    programme.stopping = () => {
      count += 1;
      // Once stopped, nothing arrives: the retry does not help.
      return count === place ? stop : count > place ? 'before' : null;
    };
    const answer = await programme.validators.reissue(GIVEN);
    programme.stopping = null;
    return answer.kind;
  }

  it.each([1, 2, 3, 4, 5, 6, 7].flatMap((place) => [[place, 'before'] as const, [place, 'after'] as const]))(
    'stopped at its request %s (%s), it is finished by a repetition and undone by a restoration',
    async (place, stop) => {
      for (const next of ['reissue', 'restore'] as const) {
        programme.vouchers.clear();
        programme.issue(OLD);
        expect(await stopAt(place, stop)).toBe('unreached');
        expect(valid().length).toBeLessThan(2);
        const answer = await programme.validators[next](GIVEN);
        expect(answer).toEqual(next === 'reissue' ? { kind: 'reissued', code: NEW } : 'restored');
        expect(valid()).toEqual([next === 'reissue' ? NEW : OLD]);
        expect(await programme.validators[next](GIVEN)).toEqual(answer);
        expect(valid()).toEqual([next === 'reissue' ? NEW : OLD]);
      }
    },
  );

  it('does not bring back a code whose successor was used', async () => {
    await programme.validators.reissue(GIVEN);
    const voucher = programme.vouchers.get(NEW);
    if (voucher) voucher.redemption.redeemed_quantity = 1;
    expect(await programme.validators.restore(GIVEN)).toBe('refused');
    expect(valid()).toEqual([]);
  });

  it('does nothing for other merchants, or without the setting', async () => {
    expect(programme.validators.canReissue(MERCHANT)).toBe(true);
    expect(programme.validators.canReissue('Knit Nook')).toBe(false);
    expect(await programme.validators.reissue({ ...GIVEN, merchant: 'Knit Nook' })).toEqual({
      kind: 'unreached',
    });
    expect(programme.server.asked).toEqual([]);
  });
});

describe('a described programme', () => {
  const calls = {
    reissue: {
      method: 'POST',
      path: '/codes/{code}/reissue',
      body: { key: '{key}', shop: '{merchant}' },
      code: '/new/code',
    },
    restore: { method: 'PUT', path: '/codes/{code}/restore', body: { key: '{key}', dead: '{newCode}' } },
  } as const;
  const open = async (answering: Parameters<typeof startServer>[0]) => {
    const server = await startServer(answering);
    const validators = openValidators({
      adapters: [httpAt(server.baseUrl, { ...calls, merchants: [MERCHANT] })],
    });
    return { server, validators };
  };

  it('is called as described, and may choose the code itself', async () => {
    const { server, validators } = await open(json({ new: { code: 'ITS-OWN-CODE' } }));
    expect(await validators.reissue(GIVEN)).toEqual({ kind: 'reissued', code: 'ITS-OWN-CODE' });
    expect(await validators.restore({ ...GIVEN, newCode: 'ITS-OWN-CODE' })).toBe('restored');
    expect(server.asked.map(({ method, url, body }) => [method, url, JSON.parse(body)])).toEqual([
      ['POST', `/codes/${OLD}/reissue`, { key: GIVEN.key, shop: MERCHANT }],
      ['PUT', `/codes/${OLD}/restore`, { key: GIVEN.key, dead: 'ITS-OWN-CODE' }],
    ]);
  });

  it.each([
    ['refuses', json({}, 422), { kind: 'refused' }, 'refused'],
    ['knows no such code', json({}, 404), { kind: 'refused' }, 'refused'],
    ['fails', json({}, 500), { kind: 'unreached' }, 'unreached'],
    ['refuses the keys', json({}, 401), { kind: 'unreached' }, 'unreached'],
    ['leaves the new code out', json({ new: {} }), { kind: 'unreached' }, 'restored'],
  ])('that %s', async (_what, answering, reissued, restored) => {
    const { validators } = await open(answering);
    expect(await validators.reissue(GIVEN)).toEqual(reissued);
    expect(await validators.restore(GIVEN)).toBe(restored);
  });
});
