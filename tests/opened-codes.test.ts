import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/*
 * Whoever is shown a code has given their second factor in a new browser, and is recorded. The files below open what is
 * sealed; a new one shows codes to nobody, or does the same and names its proof.
 */

const DOMAINS = path.resolve(import.meta.dirname, '../src/server/domains');

/** They show a code, or its picture, to a person: the test that they ask and record. */
const FOR_PEOPLE: Readonly<Record<string, string>> = {
  'coupons/reveals.ts': 'accounts/second-factor.test.ts',
  'coupons/kept-codes.ts': 'coupons/kept-codes.test.ts',
  'coupons/exporting.ts': 'data-exports/service.test.ts',
  'data-exports/service.ts': 'data-exports/service.test.ts',
  'wallet-passes/making.ts': 'wallet-passes/service.test.ts',
  'drafts/view.ts': 'drafts/viewing.test.ts',
  'images/view.ts': 'drafts/viewing.test.ts',
};

/** They show no code. */
const FOR_NOBODY: Readonly<Record<string, string>> = {
  'coupons/view.ts': 'shows a part of it to its owner (decisions 2.1)',
  'coupons/codes.ts': 'compares it with what its owner has typed',
  'coupons/validation.ts': 'asks a provider about it',
  'coupons/reissuing.ts': 'asks its merchant for a new one',
  'operations/code-forms.ts': 'makes its fingerprint',
  'accounts/devices.ts': 'the mark of a known browser',
  'accounts/second-factor.ts': 'the secret of an authenticator app',
  'exposures/keys.ts': 'the key that signs proofs',
  'settings/keys.ts': 'the keys of feeds and validators',
  'webhooks/secrets.ts': 'the key that signs deliveries',
};

it('what is sealed is opened where the second factor is asked for and the view is recorded', () => {
  const files = readdirSync(DOMAINS, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  const opening = files.filter((file) =>
    /vault\s*\.open(?:Bytes)?\(/.test(readFileSync(path.join(DOMAINS, file), 'utf8')),
  );
  expect(opening.sort()).toEqual([...Object.keys(FOR_PEOPLE), ...Object.keys(FOR_NOBODY)].sort());
  for (const [file, proof] of Object.entries(FOR_PEOPLE)) {
    const text = readFileSync(path.join(DOMAINS, proof), 'utf8');
    expect(/second_factor_required|REQUIRED/.test(text), `${proof} proves it for ${file}`).toBe(true);
  }
});
