import { describe, expect, it } from 'vitest';
import type { OwnFeed, OwnValidator } from '#contract/oversight/sources.ts';
import {
  feedBinding,
  feedSettingOf,
  SourceProblem,
  validatorBinding,
  validatorSettingOf,
} from './composing.ts';

const FEED: OwnFeed = {
  name: 'Deals',
  url: 'https://api.example/feed',
  format: 'json',
  network: null,
  merchant: null,
  currency: null,
  everyHours: 6,
  more: {},
  isPaused: false,
};
const VALIDATOR: OwnValidator = {
  name: 'Corner Coffee',
  source: 'coupontools',
  baseUrl: 'https://vouchers.example',
  merchants: ['Corner Coffee'],
  appId: null,
  currency: null,
  checksPerDay: 100,
  more: { path: '/check?code={code}', read: { valid: '/valid' } },
  isPaused: false,
};

const fieldOf = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    if (error instanceof SourceProblem) return error.field;
    throw error;
  }
  return null;
};

describe('a key', () => {
  it('is sent as a bearer token, or where its place is', () => {
    expect(feedSettingOf(FEED, 's3cret').headers).toEqual({ authorization: 'Bearer s3cret' });
    expect(feedSettingOf({ ...FEED, url: 'https://api.example/feed?key={secret}' }, 'a&b=$&')).toMatchObject({
      url: 'https://api.example/feed?key=a%26b%3D%24%26',
      headers: {},
    });
    const more = { method: 'POST', headers: { 'x-token': 'T {secret}' }, body: { auth: ['{secret}'] } };
    expect(feedSettingOf({ ...FEED, more }, 'a"$&b')).toMatchObject({
      headers: { 'x-token': 'T a"$&b' },
      body: { auth: ['a"$&b'] },
    });
    expect(validatorSettingOf(VALIDATOR, 'k')).toMatchObject({
      path: '/check?code={code}',
      headers: { authorization: 'Bearer k' },
    });
    const account = { ...VALIDATOR, source: 'voucherify', appId: 'app', more: {} } as const;
    expect(validatorSettingOf(account, 'k')).toMatchObject({ appId: 'app', appToken: 'k' });
  });

  it.each([
    ['a place without a key', { url: 'https://api.example/?k={secret}' }, 'key'],
    ['a key in the address', { url: 'https://api.example/?api_key=abc' }, 'url'],
    ['a key in a header', { more: { headers: { Authorization: 'Bearer abc' } } }, 'more'],
    ['a key in the body', { more: { method: 'POST', body: { apiKey: 'abc' } } }, 'more'],
  ] as const)('is asked for, or refused, where there is %s', (_what, change, field) => {
    expect(fieldOf(() => feedSettingOf({ ...FEED, ...change }, null))).toBe(field);
  });

  it('is bound to all that is sent, in any order of the fields', () => {
    const more = { headers: { a: '1', b: '2' }, method: 'GET' };
    const bound = feedBinding({ ...FEED, more });
    expect(feedBinding({ ...FEED, name: 'x', more: { method: 'GET', headers: { b: '2', a: '1' } } })).toBe(
      bound,
    );
    expect(feedBinding({ ...FEED, more: { ...more, method: 'POST' } })).not.toBe(bound);
    expect(feedBinding({ ...FEED, more, url: 'https://evil.example/feed' })).not.toBe(bound);
    const [own, other] = [VALIDATOR, { ...VALIDATOR, baseUrl: 'https://evil.example' }].map(validatorBinding);
    expect(own).not.toBe(other);
  });
});

it('fills in no variable of the environment', () => {
  const url = 'https://api.example/feed?u=$DATABASE_URL';
  expect(feedSettingOf({ ...FEED, url }, null).url).toBe(url);
});

it.each([
  ['a field that a feed does not have', () => feedSettingOf({ ...FEED, more: { hidden: true } }, null)],
  ['a charset that nobody reads', () => feedSettingOf({ ...FEED, more: { charset: 'klingon' } }, null)],
  ['a call without the code', () => validatorSettingOf({ ...VALIDATOR, more: { path: '/' } }, null)],
  ['new codes', () => validatorSettingOf({ ...VALIDATOR, more: { ...VALIDATOR.more, reissue: {} } }, null)],
])('names the field for %s', (_what, act) => {
  expect(fieldOf(act)).toBe('more');
});
