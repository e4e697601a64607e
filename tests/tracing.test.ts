import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openSandbox, sandboxSettings } from '#sandbox/main.ts';
import { openStore } from '#sandbox/store.ts';
import { createTestContext, createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { freePort } from './browser/site.ts';
import { cookiesOf, startServer, withoutLimits } from './processes.ts';

interface SentSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: { readonly key: string; readonly value: Record<string, string | number> }[];
  readonly status: { readonly code?: number };
}

const [SERVER, CLIENT] = [2, 3];

/** Stands in for a collector: OTLP over HTTP with JSON. */
const bodies: string[] = [];
const collector = createServer(async (request, response) => {
  bodies.push(`${request.url}\n${(await buffer(request)).toString()}`);
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});
const database = setUpDatabase();
let folder: string;
let endpoint: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'clipswap-tracing-'));
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterAll(() => {
  collector.close();
  rmSync(folder, { recursive: true });
});

/** Starts the bundled marketplace. */
async function start(settings: Record<string, string>) {
  const port = await freePort();
  return startServer({
    DATABASE_URL: withoutLimits(database.url),
    DATA_DIR: folder,
    SECRET_KEY: Buffer.alloc(32, 'test vault key').toString('base64'),
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    ...settings,
  });
}

it('sends the spans of requests, statements, providers and jobs, and nothing secret with them', async () => {
  const ctx = createTestContext(database);
  const person = await createUser(ctx, { username: 'traced-person', email: 'traced@example.org' });
  const publicUrl = 'http://localhost';
  const sandbox = await openSandbox({ store: openStore(), marketplace: () => null, publicUrl });
  onTestFinished(() => sandbox.close());
  const { url, stop } = await start({
    ...sandboxSettings(sandbox.url),
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_SERVICE_NAME: 'swaps',
  });
  let cookie = '';
  const call = async (method: string, target: string, body?: object) => {
    const answer = await fetch(`${url}${target}`, {
      method,
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer hidden-bearer',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        tracestate: 'rojo=hidden-state',
        baggage: 'word=hidden-baggage',
        cookie,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  };
  const signIn = await call('POST', '/api/login?token=hidden-token', {
    username: person.username,
    password: TEST_PASSWORD,
  });
  cookie = cookiesOf(signIn);
  const listed = await call('POST', '/api/coupons', {
    title: 'Something',
    description: 'hidden-description',
    value: 2_500,
    merchant: 'Knit Nook',
    category: 'retail',
    hasNoExpiry: true,
    codeValue: 'HIDDEN-CODE-4471',
  });
  const revealed = await call('POST', `/api/coupons/${listed.body.id}/reveal`, {});
  const search = await call(
    'GET',
    `/api/trpc/coupons.list?input=${encodeURIComponent('{"search":"hidden-x"}')}`,
  );
  const missing = await call('GET', '/api/hidden-path?code=hidden-code');
  const onboarding = await call('POST', '/api/paypal/create-onboarding-link', {});
  const statuses = [signIn, listed, revealed, search, missing, onboarding].map(({ status }) => status);
  expect(statuses).toEqual([200, 201, 200, 200, 404, 200]);
  expect(JSON.stringify(revealed.body)).toContain('HIDDEN-CODE-4471');
  await stop();

  expect(bodies.every((body) => body.startsWith('/v1/traces\n'))).toBe(true);
  const batches = bodies.flatMap((body) => JSON.parse(body.slice(body.indexOf('\n'))).resourceSpans);
  const spans: SentSpan[] = batches.flatMap(({ scopeSpans }) => scopeSpans).flatMap((scope) => scope.spans);
  const attributesOf = ({ attributes }: Pick<SentSpan, 'attributes'>) =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
  const find = (name: string) => spans.find((span) => span.name === name) as SentSpan;
  const childrenOf = (name: string) => spans.filter(({ parentSpanId }) => parentSpanId === find(name).spanId);

  expect(attributesOf(batches[0].resource)).toMatchObject({ 'service.name': 'swaps' });
  const requests = spans.filter(({ kind }) => kind === SERVER).map(({ name }) => name);
  for (const name of [
    'POST /api/coupons',
    'POST /api/coupons/:id/reveal',
    'GET trpc coupons.list',
    'GET none',
  ])
    expect(requests).toContain(name);
  expect(find('POST /api/login')).toMatchObject({
    traceId: '0af7651916cd43dd8448eb211c80319c',
    parentSpanId: 'b7ad6b7169203331',
  });
  expect(attributesOf(find('POST /api/login'))).toEqual({
    'http.request.method': 'POST',
    'http.route': '/api/login',
    'http.response.status_code': 200,
    'clipswap.request_id': signIn.headers.get('x-request-id'),
  });
  const statements = childrenOf('POST /api/login');
  expect(statements.every(({ kind }) => kind === CLIENT)).toBe(true);
  expect(statements.map((span) => attributesOf(span)['db.query.text'])).toContainEqual(
    expect.stringMatching(/^insert into "sessions" .*\$1/),
  );
  expect(childrenOf('POST /api/paypal/create-onboarding-link').map(({ name }) => name)).toContain(
    'payments.paypal.startOnboarding',
  );
  expect(childrenOf('job mail').length).toBeGreaterThan(0);

  const sent = bodies.join('\n');
  const values = cookie.split('; ').map((pair) => pair.split('=')[1] ?? '');
  for (const value of [TEST_PASSWORD, ...values]) expect(sent).not.toContain(value);
  expect(values.length).toBeGreaterThan(0);
  for (const secret of [/hidden-/i, /traced-person/, /traced@example/, /cookie/i, /authorization/i])
    expect(sent).not.toMatch(secret);
});
