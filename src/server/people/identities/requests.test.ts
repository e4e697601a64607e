import { afterEach, describe, expect, it } from 'vitest';
import { LANGUAGE_COOKIE } from '#contract/base/i18n.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { openIdentities } from '#tests/support/identities.ts';
import { removePastIdentityRequests } from './requests.ts';

const test = setUpApp({ standIns: ['openid'] });
const { openBrowser, answerAt, linked } = openIdentities(test);

const REFUSED = '/auth/provider?failed=refused';
const WHO = { email: 'somebody@example.org' };

const provider = () => {
  if (test.sandbox) return test.sandbox.openId;
  throw new Error('There is no sandbox');
};
afterEach(() => {
  provider().fault = {};
});

/** The path of an answer with some of its parameters changed. */
function changed(callback: string, values: Record<string, string>): string {
  const url = new URL(callback, 'http://localhost');
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return url.pathname + url.search;
}

describe('the answer of the provider', () => {
  it('counts in the browser alone that has begun the sign-in', async () => {
    const attacker = openBrowser();
    const callback = await answerAt(await attacker.begin(), WHO);
    const victim = openBrowser();
    expect(await victim.follow(callback)).toBe(REFUSED);
    // Nor where the victim has begun one, too.
    await victim.begin();
    expect(await victim.follow(callback)).toBe(REFUSED);
    expect(await victim.read('identities.pending')).toBeNull();
    const { deniedRequests } = test.deps;
    await deniedRequests.close();
    const noted = await test.ctx.db.selectFrom('deniedRequests').select('kind').execute();
    expect(noted.map(({ kind }) => kind)).toContain('sign_in');
  });

  it('counts once, also when it comes twice at once', async () => {
    const browser = openBrowser();
    const callback = await answerAt(await browser.begin(), WHO);
    const both = await Promise.all([browser.follow(callback), browser.follow(callback)]);
    expect(both.toSorted()).toEqual(['/auth/provider', REFUSED]);
    expect(await browser.follow(callback)).toBe(REFUSED);
  });

  it('counts for ten minutes', async () => {
    const browser = openBrowser();
    const callback = await answerAt(await browser.begin(), WHO);
    test.ctx.clock.advanceDays(11 / 1_440);
    expect(await browser.follow(callback)).toBe(REFUSED);
  });

  it.each([
    ['another code', { code: 'invented' }],
    ['the state of nobody', { state: 'invented' }],
    ['another issuer, as after a mix-up', { iss: 'https://evil.example' }],
  ])('is refused with %s', async (_, values) => {
    const browser = openBrowser();
    const callback = changed(await answerAt(await browser.begin(), WHO), values);
    expect(await browser.follow(callback)).toBe(REFUSED);
    expect(await browser.read('identities.pending')).toBeNull();
  });

  it('is refused with the code of another sign-in of the same browser', async () => {
    const browser = openBrowser();
    const [first, second] = [await browser.begin(), await browser.begin()];
    const { searchParams } = new URL(await answerAt(first, WHO), 'http://localhost');
    const mixed = changed(await answerAt(second, WHO), { code: searchParams.get('code') ?? '' });
    expect(await browser.follow(mixed)).toBe(REFUSED);
  });

  const past = Math.floor(Date.now() / 1_000) - 3_600;
  it.each([
    ['for another nonce', { claims: { nonce: 'invented' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['for another audience', { claims: { aud: 'another-client' } }],
    [
      'for several audiences, of which we are not the one that asked',
      { claims: { aud: ['clipswap-sandbox', 'x'], azp: 'x' } },
    ],
    ['that has expired', { claims: { iat: past - 300, exp: past } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['of a subject that is too long', { claims: { sub: 'x'.repeat(256) } }],
    ['of a subject with other signs', { claims: { sub: 'zero\u0000' } }],
    ['that is not signed', { signature: 'none' }],
    ['that is signed by another key', { signature: 'foreign' }],
  ] as const)('is refused with a token %s', async (_, fault) => {
    const browser = openBrowser();
    const page = await browser.begin();
    provider().fault = fault;
    expect(await browser.follow(await answerAt(page, WHO))).toBe(REFUSED);
    expect(await browser.read('identities.pending')).toBeNull();
  });

  it('may be that the person has turned back', async () => {
    expect(await openBrowser().come('cancel', '/my-bids')).toBe(
      '/auth/provider?from=%2Fmy-bids&failed=cancelled',
    );
  });

  it('may name no address, or name it apart', async () => {
    const browser = openBrowser();
    await browser.come({ email: '' });
    expect(await browser.read('identities.pending')).toMatchObject({ email: null, isEmailVerified: false });
    provider().fault = { hasAddressApart: true };
    await browser.come(WHO);
    expect(await browser.read('identities.pending')).toMatchObject({ ...WHO, isEmailVerified: true });
  });

  it.each([
    ['true', true],
    ['false', false],
    ['TRUE', false],
    ['1', false],
    [1, false],
    [null, false],
  ])('is believed to have checked an address where it says %j: %s', async (claim, isEmailVerified) => {
    provider().fault = { claims: { email_verified: claim } };
    const browser = openBrowser();
    await browser.come(WHO);
    expect(await browser.read('identities.pending')).toMatchObject({ ...WHO, isEmailVerified });
  });

  it.each(['//evil.example/', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)'])(
    'leads to no page but ours, whatever way back was asked for: %s',
    async (from) => {
      const place = await openBrowser().come(WHO, from);
      expect(new URL(place, 'http://localhost').origin).toBe('http://localhost');
      expect(place).toMatch(/^\/auth\/provider\?from=/);
    },
  );

  it('leads to the pages in the language of the browser', async () => {
    const browser = openBrowser();
    browser.cookies[LANGUAGE_COOKIE] = 'fr';
    const callback = await answerAt(await browser.begin(), WHO);
    expect(await browser.follow(callback, { 'sec-fetch-mode': 'navigate' })).toBe('/fr/auth/provider');
  });
});

it('a request that is over is removed, one that can still be answered or used stays', async () => {
  await test.ctx.db.deleteFrom('identityRequests').execute();
  const left = async () => {
    await removePastIdentityRequests(test.ctx);
    return (await test.ctx.db.selectFrom('identityRequests').select('stateHash').execute()).length;
  };
  await openBrowser().begin();
  await openBrowser().come(WHO);
  expect(await left()).toBe(2);
  // Ten minutes for the provider's page, thirty for what comes after it.
  test.ctx.clock.advanceDays(11 / 1_440);
  expect(await left()).toBe(1);
  test.ctx.clock.advanceDays(20 / 1_440);
  expect(await left()).toBe(0);
});

describe('a provider that is away', () => {
  it('in the middle of a sign-in: it is begun anew', async () => {
    const browser = openBrowser();
    const page = await browser.begin();
    provider().fault = { isDown: true };
    expect(await browser.follow(await answerAt(page, WHO))).toBe('/auth/provider?failed=unavailable');
    provider().fault = {};
    expect(await browser.come(WHO)).toBe('/auth/provider');
  });

  it('keeps nobody from signing in by password', async () => {
    const person = await createUser(test.ctx);
    await linked(person, 'away@example.org');
    provider().fault = { isDown: true };
    expect((await openBrowser().signIn(person)).status).toBe(200);
  });
});

describe('a market without a provider', () => {
  const plain = setUpApp();
  it('says so, and takes no answer', async () => {
    const { openBrowser: open } = openIdentities(plain);
    const browser = open();
    expect(await browser.read('identities.provider')).toBeNull();
    expect((await browser.call('identities.start')).status).toBe(404);
    expect(await browser.follow('/api/identities/callback?code=1&state=2')).toBe(REFUSED);
  });
});
