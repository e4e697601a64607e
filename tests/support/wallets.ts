import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import forge from 'node-forge';
import { afterAll, beforeAll } from 'vitest';
import { type ApplePushSandbox, openApplePush } from '#sandbox/wallets/apple-push.ts';
import { type GoogleWalletSandbox, openGoogleWalletSandbox } from '#sandbox/wallets/google.ts';
import type { WalletSettings } from '#server/core/provider-settings.ts';
import { openWallets, type WalletEndpoints } from '#server/providers/wallets/open-wallets.ts';
import type { Wallets } from '#server/providers/wallets/wallets.ts';
import { HANGS_MS } from './patience.ts';

export const PASS_TYPE = 'pass.example.clipswap';
const ISSUER = '3388000000012345678';

interface Identity {
  readonly certificate: string;
  readonly key: string;
}

function newKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return { privateKey, publicKey };
}

/** A certificate; without an issuer one of an authority. */
function issue(
  subject: readonly { readonly type: string; readonly value: string }[],
  issuer: Identity | null,
): Identity {
  const { privateKey, publicKey } = newKeys();
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(8))}`;
  certificate.validity.notBefore = new Date(Date.now() - 86_400_000);
  certificate.validity.notAfter = new Date(Date.now() + 86_400_000);
  certificate.setSubject([...subject]);
  const by = issuer && forge.pki.certificateFromPem(issuer.certificate);
  certificate.setIssuer(by ? by.subject.attributes : [...subject]);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: issuer === null },
    ...(issuer ? [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }] : []),
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(issuer?.key ?? privateKey), forge.md.sha256.create());
  return { certificate: forge.pki.certificateToPem(certificate), key: privateKey };
}

const [COMMON_NAME, UNIT, USER_ID] = ['2.5.4.3', '2.5.4.11', '0.9.2342.19200300.100.1.1'];

/** The files of an operator who has set up both wallets, made for a test. */
export function makeWalletFiles(folder: string) {
  const file = (name: string, text: string): string => {
    const place = path.join(folder, name);
    writeFileSync(place, text);
    return place;
  };
  const authority = issue([{ type: COMMON_NAME, value: 'Test authority' }], null);
  const pass = issue(
    [
      { type: USER_ID, value: PASS_TYPE },
      { type: COMMON_NAME, value: `Pass Type ID: ${PASS_TYPE}` },
      { type: UNIT, value: 'TEAM123456' },
    ],
    authority,
  );
  const google = newKeys();
  const account = {
    type: 'service_account',
    client_email: 'wallet@clipswap.iam.example.com',
    private_key_id: 'key-1',
    private_key: google.privateKey,
  };
  const settings = {
    apple: {
      certificateFile: file('pass.pem', pass.certificate),
      keyFile: file('pass-key.pem', pass.key),
      authorityFile: file('authority.pem', authority.certificate),
    },
    google: { issuerId: ISSUER, serviceAccountFile: file('google.json', JSON.stringify(account)) },
  } satisfies WalletSettings;
  return { authority, settings, google: { email: account.client_email, publicKey: google.publicKey } };
}

export interface WalletSandbox {
  readonly wallets: Wallets;
  readonly push: ApplePushSandbox;
  readonly google: GoogleWalletSandbox;
  /** PEM. */
  readonly authority: string;
  readonly googleKey: string;
}

/** Both wallets, set up over stand-ins, for the tests of one file. */
export function setUpWallets(publicUrl = 'http://localhost'): WalletSandbox {
  const test = {} as WalletSandbox;
  const folder = mkdtempSync(path.join(tmpdir(), 'clipswap-wallets-'));
  beforeAll(async () => {
    const { authority, settings, google: account } = makeWalletFiles(folder);
    const host = issue([{ type: COMMON_NAME, value: 'localhost' }], authority);
    const push = await openApplePush({ ...host, authority: authority.certificate });
    const google = await openGoogleWalletSandbox(account);
    const endpoints: WalletEndpoints = {
      applePush: push.url,
      applePushAuthority: authority.certificate,
      googleToken: `${google.url}/token`,
      google: google.url,
    };
    Object.assign(test, {
      wallets: openWallets(settings, publicUrl, endpoints, HANGS_MS),
      ...{ push, google, authority: authority.certificate, googleKey: account.publicKey },
    });
  });
  afterAll(async () => {
    await test.push.close();
    await test.google.close();
    rmSync(folder, { recursive: true });
  });
  return test;
}
