import { beforeAll, expect, it } from 'vitest';
import { type Message, speak, Texts } from '#contract/base/i18n.ts';
import { setUpApp } from '#tests/support/app.ts';

/** Marks all that comes from the catalogue. */
class MarkedTexts extends Texts {
  override text(message: Message): string {
    return `⟦${super.text(message)}⟧`;
  }
}

/** What is left of a text without the marked parts. */
function unmarked(text: string): string {
  const left = text.replace(/⟦[^⟦⟧]*⟧/g, '');
  return left === text ? text : unmarked(left);
}

const test = setUpApp();

beforeAll(() => {
  const marked = new MarkedTexts('en');
  speak(() => marked);
});

const json = { 'content-type': 'application/json' };

it.each([
  ['a missing field', { method: 'POST', url: '/api/login', headers: json, payload: '{"password":"x"}' }, 400],
  ['a wrong type', { method: 'POST', url: '/api/login', headers: json, payload: '{"username":1}' }, 400],
  ['a wrong page', { method: 'GET', url: '/api/coupons?page=x' }, 400],
  ['a wrong option', { method: 'GET', url: '/api/coupons?sort=colour' }, 400],
  [
    'a wrong password',
    { method: 'POST', url: '/api/login', headers: json, payload: '{"username":"a","password":"x"}' },
    401,
  ],
  ['no session', { method: 'GET', url: '/api/bids' }, 401],
  ['no such coupon', { method: 'GET', url: '/api/coupons/77' }, 404],
  ['no such address', { method: 'GET', url: '/api/nothing' }, 404],
  ['no such procedure', { method: 'GET', url: '/api/trpc/none.such' }, 404],
  ['no JSON', { method: 'POST', url: '/api/login', headers: json, payload: '{' }, 400],
  [
    'too large',
    { method: 'POST', url: '/api/login', headers: json, payload: `"${'x'.repeat(2 ** 21)}"` },
    413,
  ],
  [
    'a strange type',
    { method: 'POST', url: '/api/login', headers: { 'content-type': 'a/b' }, payload: 'x' },
    415,
  ],
] as const)('%s is refused in words of the catalogue alone', async (_, request, status) => {
  const response = await test.app.inject(request);
  expect(response.statusCode).toBe(status);
  const body = response.json();
  const { error, issues = [] } = body.error?.json?.data?.wire ?? body.error?.data?.wire ?? body;
  const texts: string[] = [error, ...issues.map(({ message }: { message: string }) => message)];
  for (const text of texts) {
    expect(text).toContain('⟦');
    expect(unmarked(text)).not.toMatch(/\p{L}/u);
  }
});
