import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/*
 * Whoever is shown a code has given their second factor in a new browser, and is recorded. The files below open what is
 * sealed; a new one shows codes to nobody, or does the same and names its proof.
 */

const SERVER = path.resolve(import.meta.dirname, '../src/server');

/** They show a code, or its picture, to a person: the test that they ask and record. */
const FOR_PEOPLE: Readonly<Record<string, string>> = {
  'coupons/codes/reveals.ts': 'people/accounts/second-factor.test.ts',
  'coupons/codes/kept-codes.ts': 'coupons/codes/kept-codes.test.ts',
  'coupons/codes/exporting.ts': 'oversight/data-exports/service.test.ts',
  'oversight/data-exports/service.ts': 'oversight/data-exports/service.test.ts',
  'coupons/wallet-passes/making.ts': 'coupons/wallet-passes/service.test.ts',
  'coupons/drafts/view.ts': 'coupons/drafts/viewing.test.ts',
  'coupons/images/view.ts': 'coupons/drafts/viewing.test.ts',
};

/** They show no code. */
const FOR_NOBODY: Readonly<Record<string, string>> = {
  'coupons/core/view.ts': 'shows a part of it to its owner (decisions 2.1)',
  'coupons/codes/codes.ts': 'compares it with what its owner has typed',
  'coupons/codes/validation.ts': 'asks a provider about it',
  'coupons/codes/reissuing.ts': 'asks its merchant for a new one',
  'oversight/checks/code-forms.ts': 'makes its fingerprint',
  'database/vault.ts': 'the keys that sign pushes',
  'people/accounts/devices.ts': 'the mark of a known browser',
  'people/accounts/second-factor.ts': 'the secret of an authenticator app',
  'coupons/exposures/keys.ts': 'the key that signs proofs',
  'people/idempotency/service.ts':
    'repeats what its own program was answered; codes are shown by calls that have no key',
  'people/settings/keys.ts': 'the keys of feeds and validators',
  'people/webhooks/secrets.ts': 'the key that signs deliveries',
};

it('what is sealed is opened where the second factor is asked for and the view is recorded', () => {
  const files = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  const opening = files.filter((file) =>
    /vault\s*\.open(?:Bytes)?\(/.test(readFileSync(path.join(SERVER, file), 'utf8')),
  );
  expect(opening.sort()).toEqual([...Object.keys(FOR_PEOPLE), ...Object.keys(FOR_NOBODY)].sort());
  for (const [file, proof] of Object.entries(FOR_PEOPLE)) {
    const text = readFileSync(path.join(SERVER, proof), 'utf8');
    expect(/second_factor_required|REQUIRED/.test(text), `${proof} proves it for ${file}`).toBe(true);
  }
});
