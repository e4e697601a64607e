import { expect, it } from 'vitest';
import { z } from 'zod';
import { appRouter } from '#server/router.ts';
import { neededScopes, SCOPES } from './scopes.ts';

const procedures = appRouter._def.procedures as unknown as Record<
  string,
  { _def: { type: 'query' | 'mutation' | 'subscription'; output?: z.ZodType } }
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
  expect(paths).toEqual(['accounts.me', 'accounts.currentUser', 'accounts.chooseLanguage', 'apiKeys.whose']);
});

it('what is not known needs a scope that nobody has', () => {
  expect(neededScopes('unknown.call', 'query')).toBeNull();
});

/** Names of fields that tell of a deal, of money and of messages. */
const TELLS = {
  deals: /^(deal(Id|Type)|exchange(Id)?|bid(Id)?|matches|claim|conversations)$/,
  payments: /^(payment(Id)?|payouts?|paymentMethods|sellerShare|netAmount|keptBack|owed)$/,
  messages: /^(message|messages|lastMessage)$/,
} as const;

/** What answers tell besides what their scope is named after; docs/api.md says so to people who make a key. */
const ALSO = {
  // The price, the state of the payment and the words that came with an offer are part of the deal.
  deals: ['payments', 'messages'],
  // Whose conversation it is.
  messages: ['deals'],
  // The history is of everything.
  notifications: ['deals', 'payments'],
  // What was paid for, and whether the code is said not to work.
  payments: ['deals'],
} as const;

/** Calls whose `message` is a sentence of ours. */
const SENTENCES = ['coupons.validate', 'moderation.report'];

function fieldsOf(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found;
  if ('properties' in schema) for (const name of Object.keys(schema.properties as object)) found.add(name);
  for (const inner of Object.values(schema)) fieldsOf(inner, found);
  return found;
}

it('an answer tells nothing of deals, money and messages that a key without their scope is not known to learn', () => {
  const also = new Set<string>();
  for (const [path, { _def }] of Object.entries(procedures)) {
    const [first] = neededScopes(path, _def.type) ?? [];
    const [group = ''] = first?.split(':') ?? [];
    if (!first || !_def.output || ['admin', 'moderation'].includes(group)) continue;
    if (SENTENCES.includes(path)) continue;
    const fields = [...fieldsOf(z.toJSONSchema(_def.output, { unrepresentable: 'any' }))];
    for (const [told, names] of Object.entries(TELLS))
      if (told !== group && fields.some((field) => names.test(field))) also.add(`${group}: ${told}`);
  }
  const known = Object.entries(ALSO).flatMap(([group, told]) => told.map((one) => `${group}: ${one}`));
  expect([...also].sort()).toEqual(known.sort());
});
