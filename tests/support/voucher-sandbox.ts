import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openValidators } from '#server/providers/validators/open-validators.ts';
import type { HttpSetting, VoucherifySetting } from '#server/providers/validators/settings.ts';
import type { Validators } from '#server/providers/validators/validators.ts';
import { createTestContext, type TestContext } from './builders.ts';
import { setUpDatabase } from './database.ts';
import { HANGS_MS } from './patience.ts';

/** A received request. */
interface Asked {
  readonly method: string;
  /** Path and query, not decoded. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answering = (asked: Asked, response: ServerResponse) => void;

export interface SandboxServer {
  readonly baseUrl: string;
  readonly asked: Asked[];
  /** Changes how the server answers. */
  answer(answering: Answering): void;
  close(): Promise<void>;
}

/** Starts a loopback server that stands in for a provider. */
export async function startSandboxServer(answering: Answering): Promise<SandboxServer> {
  const asked: Asked[] = [];
  let current = answering;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      asked.push(one);
      current(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    asked,
    answer: (next) => {
      current = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Starts sandbox servers for the tests of one file; each is closed after its test. */
export function setUpSandboxServers(): (answering: Answering) => Promise<SandboxServer> {
  const servers: SandboxServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });
  return async (answering) => {
    const server = await startSandboxServer(answering);
    servers.push(server);
    return server;
  };
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answering =>
  (_asked, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

/** Never answers. */
export const hang: Answering = () => {};

/** What the Voucherify sandbox knows of a voucher: its discount, or why it is refused. */
export interface SandboxVoucher {
  readonly discount?: Record<string, unknown>;
  readonly gift?: Record<string, unknown>;
  readonly expires?: string;
  /** The key of the error to refuse it with. */
  readonly error?: string;
}

export const KEYS = { id: 'app-id', token: 'app-token' };

/** Answers as Voucherify's OpenAPI document shows (POST /v1/validations, GET /v1/vouchers/{code}). */
export function voucherify(vouchers: Readonly<Record<string, SandboxVoucher>>): Answering {
  return ({ method, url, headers, body }, response) => {
    const send = (status: number, answer: unknown) =>
      json(answer, status)({ method, url, headers, body }, response);
    if (headers['x-app-id'] !== KEYS.id || headers['x-app-token'] !== KEYS.token) {
      return send(401, { code: 401, key: 'unauthorized', message: 'Unauthorized', details: 'Invalid keys' });
    }
    if (method === 'POST' && url === '/v1/validations')
      return send(200, validationOf(JSON.parse(body), vouchers));
    const code = /^\/v1\/vouchers\/([^/]+)$/.exec(url)?.[1];
    const voucher = code === undefined ? undefined : vouchers[decodeURIComponent(code)];
    if (method !== 'GET' || !voucher)
      return send(404, { code: 404, key: 'not_found', message: 'Resource not found' });
    return send(200, {
      id: 'v_OXvoEwAhGZKNrQXPYXnzgCVrdYSkTUv4',
      code,
      campaign: null,
      type: 'DISCOUNT_VOUCHER',
      discount: voucher.discount ?? null,
      gift: voucher.gift ?? null,
      start_date: null,
      expiration_date: voucher.expires ?? null,
      active: true,
      object: 'voucher',
    });
  };
}

function validationOf(
  asked: { redeemables: { object: string; id: string }[] },
  vouchers: Readonly<Record<string, SandboxVoucher>>,
) {
  const [{ id, object } = { id: '', object: '' }] = asked.redeemables;
  const voucher = vouchers[id];
  const key = voucher ? voucher.error : 'not_found';
  const head = { id: 'valid_101740aa2869354c6d', tracking_id: 'track_VAVW6qltuo1/z+G2GI2LPw==' };
  if (key === undefined) {
    const result = { discount: voucher?.discount, gift: voucher?.gift };
    const applicable_to = { data: [], total: 0, data_ref: 'data', object: 'list' };
    const one = { status: 'APPLICABLE', id, object, applicable_to, result, metadata: {}, categories: [] };
    return { ...head, valid: true, redeemables: [one] };
  }
  const error = {
    code: key === 'not_found' ? 404 : 400,
    key,
    message: key === 'not_found' ? 'Resource not found' : key.replaceAll('_', ' '),
    // Like the real service, it repeats the code.
    details: key === 'not_found' ? `Cannot find voucher with id ${id}` : id,
    request_id: 'v-0c6c6e20dc42940f0b',
    resource_id: id,
    resource_type: 'voucher',
  };
  const one = {
    status: 'INAPPLICABLE',
    id,
    object,
    result: { error, details: { key, message: error.message } },
  };
  return { ...head, valid: false, redeemables: [one] };
}

const LIMITS = {
  merchants: [],
  timeoutMs: HANGS_MS,
  concurrency: 20,
  failuresToOpen: 5,
  openMs: 30_000,
  checksPerDay: 100,
};

/** The settings of an account at the Voucherify sandbox. */
export function voucherifyAt(baseUrl: string, given: Partial<VoucherifySetting> = {}): VoucherifySetting {
  const keys = { appId: KEYS.id, appToken: KEYS.token };
  return { ...LIMITS, ...keys, source: 'voucherify', baseUrl, currency: 'CAD', reissue: false, ...given };
}

/** The settings of an account at a provider that answers `{ found, ok, why, amount, until }`. */
export function httpAt(baseUrl: string, given: Partial<HttpSetting> = {}): HttpSetting {
  return {
    ...LIMITS,
    source: 'coupontools',
    baseUrl,
    method: 'GET',
    path: '/codes/{code}',
    headers: { 'x-client-secret': 'client-secret' },
    bodyFormat: 'json',
    read: { exists: '/found', valid: '/ok', reason: '/why', value: '/amount', expiry: '/until' },
    validTexts: ['true'],
    reasons: { Past: 'expired', Redeemed: 'used', 'New customers': 'customer' },
    statuses: {},
    valueUnit: 'units',
    valueType: 'fixed',
    currency: 'CAD',
    ...given,
  };
}

export const MERCHANT = 'Corner Coffee';
/** The one code that the sandbox of `setUpVouchers` knows. */
export const CODE = 'KQZ-4711-LATTE';
/** A coupon in GS1's format: its digits contain the offer, the value, the requirement and the last day. */
export const STANDARD_CODE = '8110106141416543213150110120';

/** A context whose only validator asks a sandbox. Before each test there are no coupons and no validations. */
export function setUpVouchers() {
  const database = setUpDatabase();
  const ctx = {} as TestContext;
  const sandbox = {} as SandboxServer;
  const vouchers: Record<string, SandboxVoucher> = {};
  beforeAll(async () => {
    Object.assign(sandbox, await startSandboxServer(voucherify(vouchers)));
  });
  beforeEach(async () => {
    for (const table of [
      'transactionLogs',
      'validations',
      'rateLimits',
      'couponSecrets',
      'coupons',
    ] as const) {
      await database.db.deleteFrom(table).execute();
    }
    vouchers[CODE] = { discount: { type: 'AMOUNT', amount_off: 500 }, expires: '2035-12-31T00:00:00Z' };
    sandbox.answer(voucherify(vouchers));
    sandbox.asked.splice(0);
    const adapter = voucherifyAt(sandbox.baseUrl, { merchants: [MERCHANT], concurrency: 100 });
    const validators = openValidators({ adapters: [adapter] });
    Object.assign(ctx, createTestContext(database, { providers: { validators } }));
  });
  afterAll(() => sandbox.close());
  return { ctx, database, sandbox, vouchers };
}

/** The merchant's own account of an application, which knows only the codes in `vouchers`, and answers again in each test. */
export function setUpOwnAccount() {
  const vouchers: Record<string, SandboxVoucher> = {};
  const sandbox = {} as SandboxServer;
  const own = {} as Validators;
  beforeAll(async () => {
    Object.assign(sandbox, await startSandboxServer(voucherify(vouchers)));
    const adapter = voucherifyAt(sandbox.baseUrl, { merchants: [MERCHANT], failuresToOpen: 1_000 });
    Object.assign(own, openValidators({ adapters: [adapter] }));
  });
  beforeEach(() => {
    sandbox.answer(voucherify(vouchers));
    sandbox.asked.splice(0);
  });
  afterAll(() => sandbox.close());
  const validators: Validators = {
    ...openValidators({ adapters: [] }),
    hasOwn: (merchant) => own.hasOwn(merchant),
    check: (question) => own.check(question),
  };
  return { vouchers, sandbox, validators };
}
