import { expect, it } from 'vitest';
import { isAllowedRedirect, isRegistered, placeOf, scopesOf, withQuery } from './rules.ts';

it.each([
  ['https://helper.example/done', true],
  ['https://helper.example/done?from=us', true],
  ['http://localhost:3000/callback', true],
  ['http://127.0.0.1/callback', true],
  ['http://[::1]:8080/callback', true],
  ['com.example.helper:/done', true],
  ['http://helper.example/done', false],
  ['http://localhost.helper.example/done', false],
  ['https://helper.example/done#part', false],
  ['https://somebody@helper.example/done', false],
  ['javascript:alert(1)', false],
  ['data:text/html,hello', false],
  ['helper:/done', false],
  ['/done', false],
])('a code may be sent to %s: %s', (uri, isAllowed) => {
  expect(isAllowedRedirect(uri)).toBe(isAllowed);
});

it.each([
  ['https://helper.example/done', true],
  ['https://helper.example/done/', false],
  ['https://helper.example/done?more=1', false],
  ['https://helper.example:8443/done', false],
  ['http://localhost:49152/callback', true],
  ['http://localhost/callback', true],
  ['http://localhost:49152/other', false],
  ['http://127.0.0.1:49152/callback', false],
  ['https://localhost:49152/callback', false],
  ['no address', false],
])('%s is one of the registered addresses: %s', (given, isOne) => {
  expect(isRegistered(given, ['https://helper.example/done', 'http://localhost:3000/callback'])).toBe(isOne);
});

it.each([
  [undefined, ['coupons:read', 'coupons:write', 'deals:read', 'deals:write']],
  ['', ['coupons:read', 'coupons:write', 'deals:read', 'deals:write']],
  ['deals:read deals:read', ['deals:read']],
  ['deals:read codes:read', null],
  ['admin:write', null],
])('the scopes of %o are %o', (scope, scopes) => {
  expect(scopesOf(scope)).toEqual(scopes);
});

it('says where an answer goes', () => {
  expect(placeOf('https://helper.example:8443/done')).toEqual({
    redirectHost: 'helper.example:8443',
    isOnDevice: false,
  });
  expect(placeOf('http://localhost:3000/done')).toEqual({ redirectHost: 'localhost:3000', isOnDevice: true });
  expect(placeOf('com.example.helper:/done')).toEqual({
    redirectHost: 'com.example.helper',
    isOnDevice: true,
  });
});

it('adds to the query of an address, and leaves out what is missing', () => {
  const uri = withQuery('https://helper.example/done?from=us', { code: 'a b', state: undefined });
  expect(uri).toBe('https://helper.example/done?from=us&code=a+b');
});
