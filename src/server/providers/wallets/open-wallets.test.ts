import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWalletFiles } from '#tests/support/wallets.ts';
import { openWallets } from './open-wallets.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'clipswap-wallet-files-'));
const other = mkdtempSync(path.join(tmpdir(), 'clipswap-wallet-others-'));
let good: ReturnType<typeof makeWalletFiles>['settings'];
let strange: typeof good;
beforeAll(() => {
  good = makeWalletFiles(folder).settings;
  strange = makeWalletFiles(other).settings;
});
afterAll(() => {
  for (const place of [folder, other]) rmSync(place, { recursive: true });
});

describe('at the start', () => {
  it.each([
    ['APPLE_WALLET_KEY_FILE is not usable: the key does not', () => ({ keyFile: strange.apple.keyFile })],
    [
      'APPLE_WALLET_AUTHORITY_FILE is not usable: this',
      () => ({ authorityFile: strange.apple.authorityFile }),
    ],
    [
      'APPLE_WALLET_CERTIFICATE_FILE is not usable: it is not',
      () => ({ certificateFile: good.apple.authorityFile }),
    ],
    ['APPLE_WALLET_KEY_FILE is not usable: /nowhere cannot', () => ({ keyFile: '/nowhere' })],
  ])('a wrong file is refused: %s …', (problem, wrong) => {
    expect(() => openWallets({ apple: { ...good.apple, ...wrong() }, google: null }, 'http://x')).toThrow(
      problem,
    );
  });

  it('a broken key of Google is refused by the name of its setting', () => {
    const file = path.join(folder, 'broken.json');
    writeFileSync(file, '{}');
    const google = { ...good.google, serviceAccountFile: file };
    expect(() => openWallets({ apple: null, google }, 'http://x')).toThrow(
      'GOOGLE_WALLET_SERVICE_ACCOUNT_FILE',
    );
  });

  it('the pass type comes from the certificate', () => {
    expect(openWallets(good, 'http://x').apple?.passType).toBe('pass.example.clipswap');
    expect(openWallets({ apple: null, google: null }, 'http://x')).toEqual({ apple: null, google: null });
  });
});
