import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { EXAMPLE_COUPON_ID, programExamples } from '#contract/base/program-examples.ts';
import { type ApiScope, PRESET_SCOPES } from '#contract/people/api-keys.ts';
import { TEST_PASSWORD } from '#tests/support/builders.ts';
import { WAIT_MS } from '#tests/support/patience.ts';
import { buildClient } from '../../scripts/build/build-client.ts';
import { freePort } from '../browser/site.ts';
import { cookiesOf, type ServerProcess, startServer } from '../processes.ts';

/** The programs of docs/examples, against a market that starts in an empty folder, over HTTP alone. */

const ROOT = path.resolve(import.meta.dirname, '../..');
const execute = promisify(execFile);

let folder: string;
let server: ServerProcess;
let hook: string;
let hookPort: number;
let seller: Person;
let buyer: Person;
const running: ChildProcess[] = [];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'clipswap-examples-'));
  const port = await freePort();
  hookPort = await freePort();
  hook = `http://127.0.0.1:${hookPort}/hook`;
  server = await startServer({
    NODE_ENV: 'development',
    PORT: String(port),
    DATA_DIR: path.join(folder, 'data'),
    WEBHOOK_ORIGINS: new URL(hook).origin,
  });
  seller = await signUp('seller');
  buyer = await signUp('buyer');
});
afterAll(async () => {
  for (const child of running) child.kill();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Person {
  readonly cookie: string;
}

async function post(at: string, body: object, cookie = ''): Promise<Response> {
  const answer = await fetch(`${server.url}${at}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${at}: ${await answer.text()}`);
  return answer;
}

/** Registers somebody and confirms their address by the mail that the developer's outbox shows. */
async function signUp(username: string): Promise<Person> {
  const email = `${username}@example.com`;
  const given = { username, email, password: TEST_PASSWORD, acceptTerms: true, isAdult: true };
  const registered = await post('/api/register', given);
  const cookie = cookiesOf(registered);
  const token = await vi.waitFor(async () => {
    const page = await fetch(`${server.url}/sandbox/mail/to/${email}`);
    return /verify-email\W+token=([\w-]+)/.exec(await page.text())?.[1] ?? Promise.reject(page.status);
  }, WAIT_MS);
  await post('/api/user/verify-email', { token }, cookie);
  return { cookie };
}

async function keyFor(who: Person, ...scopes: ApiScope[]): Promise<string> {
  const given = { name: 'Example', scopes, days: 1, password: TEST_PASSWORD };
  const answer = await post('/api/user/keys', given, who.cookie);
  return ((await answer.json()) as { token: string }).token;
}

it('the first command of docs/api.md says whose key it is, with what the form for a key begins with', async () => {
  const document = await readFile(path.join(ROOT, 'docs/api.md'), 'utf8');
  const command = /```sh\n(.+?)```/s.exec(document)?.[1] ?? '';
  const env = { PATH: process.env.PATH, CLIPSWAP_KEY: await keyFor(buyer, ...PRESET_SCOPES) };
  // As it stands there, but for the address of this market.
  const { stdout } = await execute('sh', ['-c', command.replace('https://market.example', server.url)], {
    env,
  });
  expect(JSON.parse(stdout)).toEqual({
    userId: expect.any(Number),
    username: 'buyer',
    key: { name: 'Example', scopes: PRESET_SCOPES },
  });
});

it('the commands of /developers say whose key it is, find a coupon, and make one offer however often', async () => {
  const listed = await post(
    '/api/coupons',
    { ...COUPON, title: 'Coffee', codeValue: 'BEAN-12' },
    seller.cookie,
  );
  const { id } = (await listed.json()) as { id: number };
  const key = await keyFor(buyer, 'coupons:read', 'deals:write');
  const text = programExamples('MARKET').curl.replaceAll(String(EXAMPLE_COUPON_ID), String(id));
  const commands = text
    .replaceAll('MARKET', server.url)
    .split(/^# .*$/m)
    .slice(1);
  const run = async (command = '') => {
    const env = { PATH: process.env.PATH, CLIPSWAP_KEY: key };
    return JSON.parse((await execute('sh', ['-c', command], { env })).stdout);
  };
  const [whose, found, offer] = commands;
  expect(commands).toHaveLength(3);
  expect(await run(whose)).toMatchObject({ username: 'buyer', key: { name: 'Example' } });
  expect(await run(found)).toMatchObject([{ id, title: 'Coffee' }]);
  const first = await run(offer);
  expect(first).toMatchObject({ couponId: id, amount: '3.50', status: 'pending' });
  expect(await run(offer)).toEqual(first);
  const bids = await fetch(`${server.url}/api/bids`, { headers: { cookie: buyer.cookie } });
  expect(((await bids.json()) as unknown[]).length).toBe(1);
});

it('sell.sh lists, bids, accepts and reads a webhook with curl alone', async () => {
  const env = {
    PATH: process.env.PATH,
    MARKET: server.url,
    SELLER_KEY: await keyFor(
      seller,
      'coupons:write',
      'deals:read',
      'deals:write',
      'webhooks:read',
      'webhooks:write',
    ),
    BUYER_KEY: await keyFor(buyer, 'deals:write'),
    HOOK: hook,
    TRIES: '600',
  };
  const receiver = spawn(process.execPath, ['-e', RECEIVER], {
    env: { PORT: String(hookPort) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(receiver);
  await once(receiver.stdout, 'data');
  const { stdout } = await execute('sh', [path.join(ROOT, 'docs/examples/sell.sh')], { env });
  receiver.kill();
  expect(stdout).toMatch(
    /Webhook \d+ is signed with whsec_\S+\nCoupon \d+ is listed\.\nBid \d+ is placed\.\n/,
  );
  expect(stdout).toMatch(/Bid \d+ is accepted\.\nThe webhook has arrived: .*bid\.accepted/);
  expect(stdout).not.toContain('LATTE-4471');
});

/** Takes whatever comes. */
const RECEIVER = `require('node:http').createServer((_, response) => response.writeHead(204).end())
  .listen(process.env.PORT, () => console.log('listening'))`;

it('the program of /developers and accept-bids.ts, by the types of the client, find coupons and answer bids', async () => {
  const place = path.join(folder, 'program');
  const packages = path.join(place, 'node_modules');
  await mkdir(packages, { recursive: true });
  await buildClient(path.join(packages, 'clipswap-client'));
  for (const name of ['standardwebhooks', '@types'])
    await symlink(path.join(ROOT, 'node_modules', name), path.join(packages, name));
  await cp(path.join(ROOT, 'docs/examples/accept-bids.ts'), path.join(place, 'accept-bids.ts'));
  await writeFile(path.join(place, 'find.ts'), programExamples(server.url).client);
  await writeFile(path.join(place, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(path.join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER }));
  await execute(path.join(ROOT, 'node_modules/.bin/tsc'), ['--project', place]);

  await post('/api/coupons', { ...COUPON, title: 'Coffee to go', codeValue: 'CUP-31' }, seller.cookie);
  const { stdout } = await execute(process.execPath, [path.join(place, 'find.js')], {
    env: { CLIPSWAP_KEY: await keyFor(buyer, 'coupons:read') },
  });
  expect(stdout).toMatch(/^\d+ Coffee to go Bakery Lane$/m);

  const key = await keyFor(seller, 'deals:read', 'deals:write');
  const made = await post('/api/webhooks', { url: hook, events: ['bid.placed'] }, seller.cookie);
  const { secret } = (await made.json()) as { secret: string };
  const env = {
    MARKET: server.url,
    API_KEY: key,
    WEBHOOK_SECRET: secret,
    LEAST: '3.50',
    PORT: String(hookPort),
  };
  const program = spawn(process.execPath, [path.join(place, 'accept-bids.js')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(program);
  await once(program.stdout, 'data');
  const forged = await fetch(hook, { method: 'POST', body: '{"type":"bid.placed","data":{"dealId":1}}' });
  expect(forged.status).toBe(401);
  expect(await answerTo('3.49')).toBe('rejected');
  expect(await answerTo('3.50')).toBe('accepted');
});

const COMPILER = {
  target: 'ES2023',
  module: 'nodenext',
  strict: true,
  types: ['node'],
  skipLibCheck: true,
};

/** The state of a bid on a new coupon, once the seller's program has answered it. */
async function answerTo(amount: string): Promise<string> {
  const listed = await post('/api/coupons', { ...COUPON, codeValue: `SOUP-${amount}` }, seller.cookie);
  const { id: couponId } = (await listed.json()) as { id: number };
  const placed = await post('/api/bids', { couponId, amount }, buyer.cookie);
  const { id } = (await placed.json()) as { id: number };
  return vi.waitFor(async () => {
    const answer = await fetch(`${server.url}/api/bids/${id}`, { headers: { cookie: buyer.cookie } });
    const { status } = (await answer.json()) as { status: string };
    return status === 'pending' ? Promise.reject(status) : status;
  }, WAIT_MS);
}

const COUPON = {
  title: 'Soup for two',
  description: 'Valid at every branch, weekdays only.',
  merchant: 'Bakery Lane',
  category: 'food',
  value: 450,
  hasNoExpiry: true,
};
