import { expect, it } from 'vitest';
import { appRouter } from '#server/router.ts';
import { neededScopes, SCOPES } from './scopes.ts';

const procedures = appRouter._def.procedures as unknown as Record<
  string,
  { _def: { type: 'query' | 'mutation' | 'subscription' } }
>;

it('scopes name only calls that are there', () => {
  const named = Object.entries(SCOPES).flatMap(([domain, scopes]) =>
    'calls' in scopes ? Object.keys(scopes.calls).map((call) => `${domain}.${call}`) : [],
  );
  expect(named.filter((path) => !(path in procedures))).toEqual([]);
  expect(Object.keys(SCOPES).filter((domain) => !(domain in appRouter._def.record))).toEqual([]);
});

it('no key may make a call about the ways into an account', () => {
  const open = Object.entries(procedures).filter(
    ([path, { _def }]) => neededScopes(path, _def.type) !== null,
  );
  const paths = open.map(([path]) => path).filter((path) => /^(accounts|apiKeys)\./.test(path));
  expect(paths).toEqual(['accounts.me', 'accounts.currentUser', 'accounts.chooseLanguage']);
});

it('what is not known needs a scope that nobody has', () => {
  expect(neededScopes('unknown.call', 'query')).toBeNull();
});
