import { beforeEach, describe, expect, it } from 'vitest';
import { setUpProgramme } from '#tests/support/voucher-programme.ts';
import { httpAt, json, MERCHANT, setUpSandboxServers } from '#tests/support/voucher-sandbox.ts';
import { openValidators } from './open-validators.ts';
import type { HttpRedemptionsCall } from './settings.ts';

const CODE = 'KQZ-4711';
const [MORNING, NOON] = [new Date('2035-06-15T08:00:00Z'), new Date('2035-06-15T12:00:00Z')];

describe('voucherify', () => {
  const programme = setUpProgramme();
  beforeEach(() => programme.issue(CODE, { redemption: { quantity: 3, redeemed_quantity: 0 } }));
  const asked = (code = CODE) => programme.validators.redemptionsOf({ merchant: MERCHANT, code });

  it('tells when a code was used, but not of attempts and what was taken back', async () => {
    expect(programme.validators.tellsRedemptions(MERCHANT)).toBe(true);
    expect(programme.validators.tellsRedemptions('Another')).toBe(false);
    expect(await asked()).toEqual({ count: 0, told: [] });
    programme.redeem(CODE, MORNING);
    programme.redeem(CODE, NOON);
    programme.rollBack(CODE);
    programme.issue('OTHER', { redemption: { quantity: 0, redeemed_quantity: 0 } });
    programme.redeem('OTHER', NOON);
    expect(await asked()).toEqual({ count: 1, told: [{ at: MORNING, place: null }] });
    expect(await asked('OTHER')).toEqual({ count: 0, told: [] });
    expect(await asked('UNKNOWN')).toEqual({ count: 0, told: [] });
  });

  it('counts uses that are on another page', async () => {
    programme.issue(CODE, { redemption: { quantity: 20, redeemed_quantity: 0 } });
    for (let use = 0; use < 12; use += 1) programme.redeem(CODE, NOON);
    expect(await asked()).toMatchObject({ count: 12, told: { length: 10 } });
  });

  it('does not answer without an account, or when the account fails', async () => {
    expect(await programme.validators.redemptionsOf({ merchant: 'Another', code: CODE })).toBe('unreached');
    programme.stopping = () => 'before';
    expect(await asked()).toBe('unreached');
  });
});

describe('a described call', () => {
  const start = setUpSandboxServers();
  const list: HttpRedemptionsCall = {
    ...{ method: 'GET', path: '/codes/{code}/uses' },
    ...{ list: '/uses', at: '/when', place: '/shop' },
  };

  async function ask(answering: Parameters<typeof start>[0], redemptions = list, code = CODE) {
    const sandbox = await start(answering);
    const setting = httpAt(sandbox.baseUrl, { merchants: [MERCHANT], redemptions });
    const validators = openValidators({ adapters: [setting] });
    return { answer: await validators.redemptionsOf({ merchant: MERCHANT, code }), asked: sandbox.asked };
  }

  it('tells the time and the place of each use', async () => {
    const uses = [
      { when: '2035-06-15T10:00:00+02:00', shop: ' Main Street ' },
      { when: NOON.getTime() / 1_000, shop: '' },
      { when: NOON.getTime() },
    ];
    const { answer, asked } = await ask(json({ uses }));
    expect(answer).toEqual({
      count: 3,
      told: [
        { at: MORNING, place: 'Main Street' },
        { at: NOON, place: null },
        { at: NOON, place: null },
      ],
    });
    expect(asked).toMatchObject([{ method: 'GET', url: `/codes/${CODE}/uses` }]);
  });

  it.each([
    ['a day alone', '2035-06-15'],
    ['a time without its zone', '2035-06-15T10:00:00'],
    ['nothing', undefined],
    ['words', 'yesterday'],
    ['no time at all', Number.NaN],
  ])('counts a use of which it tells %s', async (_, when) => {
    expect((await ask(json({ uses: [{ when }] }))).answer).toEqual({ count: 1, told: [] });
  });

  it('may tell how often alone, and may not know the code', async () => {
    const call = { path: '/uses', body: { code: '{code}' }, count: '/times' };
    const count: HttpRedemptionsCall = { method: 'POST', ...call };
    const { answer, asked } = await ask(json({ times: 2 }), count);
    expect(answer).toEqual({ count: 2, told: [] });
    expect(asked).toMatchObject([{ method: 'POST', body: `{"code":"${CODE}"}` }]);
    expect((await ask(json({}, 404), count)).answer).toEqual({ count: 0, told: [] });
  });

  it.each([
    ['another shape', json({ uses: 'none' }), CODE],
    ['no rights', json({}, 403), CODE],
    ['a code that is no part of an address', json({ uses: [] }), '..'],
  ])('does not answer with %s', async (_, answering, code) => {
    expect((await ask(answering, list, code)).answer).toBe('unreached');
  });
});
