import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { WEBHOOK_EVENTS } from '#contract/people/webhooks.ts';
import { curlOf, EXAMPLES } from '#server/rest/examples.ts';
import { REST_CALLS } from '#server/rest/table.ts';
import { createApiKey } from '#tests/support/api-keys.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';

/** What the documentation tells programs. */

const test = setUpApp();

interface Operation {
  readonly summary: string;
  readonly operationId: string;
  readonly security: Record<string, string[]>[];
  readonly responses: Record<string, { $ref?: string }>;
}

async function readDocument() {
  const document = (await test.call(null, { method: 'GET', url: '/api/openapi.json' })).json();
  return document as {
    paths: Record<string, Record<string, Operation>>;
    components: Record<string, Record<string, unknown>>;
    webhooks: Record<string, unknown>;
  };
}

it('the document lists every call of the table, and what webhooks send; the page for people, too', async () => {
  const { paths, webhooks } = await readDocument();
  const { body } = await test.call(null, { method: 'GET', url: '/api/docs' });
  const ids = REST_CALLS.map(({ method, path, procedure, input }) => {
    const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    expect(operation, `${method} ${path}`).toMatchObject({
      operationId: expect.stringContaining([procedure, ...Object.values(input)].join('.')),
      summary: expect.stringMatching(/\w/),
    });
    expect(body).toContain(operation?.summary.split('’')[0]);
    return operation?.operationId;
  });
  expect(new Set(ids).size).toBe(ids.length);
  expect(Object.keys(webhooks)).toEqual([...WEBHOOK_EVENTS, 'webhook.test']);
  expect(webhooks['bid.accepted']).toMatchObject({
    post: {
      requestBody: {
        content: { 'application/json': { schema: { properties: { type: { const: 'bid.accepted' } } } } },
      },
    },
  });
  expect(paths['/api/bids']?.post).toMatchObject({
    requestBody: {
      content: {
        'application/json': {
          schema: { properties: { amount: { description: expect.stringMatching(/decimal text/) } } },
        },
      },
    },
  });
});

it('the document says for each call which scopes a key needs, and what is refused', async () => {
  const { paths, components } = await readDocument();
  expect(components.securitySchemes).toMatchObject({
    key: { type: 'http', scheme: 'bearer' },
    session: { type: 'apiKey', in: 'cookie', name: 'clipswap' },
  });
  const refusals = ['Unauthorized', 'Forbidden', 'TooManyRequests', 'Refused', 'Failed'];
  expect(Object.keys(components.responses ?? {})).toEqual(refusals);
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  expect(operations.length).toBeGreaterThan(REST_CALLS.length);
  for (const { operationId, security, responses } of operations) {
    expect(security?.at(-1), operationId).toEqual({ session: [] });
    expect(responses['429']?.$ref, operationId).toBe('#/components/responses/TooManyRequests');
  }
  const securityOf = (path: string, method: string) => paths[path]?.[method]?.security;
  expect(securityOf('/api/coupons', 'get')).toEqual([{}, { key: ['coupons:read'] }, { session: [] }]);
  expect(securityOf('/api/bids', 'post')).toEqual([{ key: ['deals:write'] }, { session: [] }]);
  expect(securityOf('/api/coupons/{id}/reveal', 'post')).toEqual([
    { key: ['coupons:write', 'codes:read'] },
    { session: [] },
  ]);
  expect(securityOf('/api/coupons/{id}/qrcode', 'get')).toEqual([
    { key: ['coupons:read', 'codes:read'] },
    { session: [] },
  ]);
  expect(securityOf('/api/user/password', 'put')).toEqual([{ session: [] }]);
});

it('the examples work as they are written, and docs/api.md has them', async () => {
  const [owner, bidder] = [await createUser(test.ctx), await createUser(test.ctx)];
  const { header } = await createApiKey(test.ctx, owner);
  const coupon = await createCoupon(test.ctx, bidder);
  const own = await createCoupon(test.ctx, owner, { code: 'LATTE-1', askingPrice: null });
  const offer = { method: 'POST', url: '/api/bids', body: { couponId: own.id, amount: '3.50' } } as const;
  const bid = (await test.call(bidder, offer)).json();
  const text = readFileSync('docs/api.md', 'utf8');
  for (const example of EXAMPLES) {
    const { method, body } = example;
    const written = JSON.stringify({ url: example.path, body });
    const real = written
      .replace('/bids/34/', `/bids/${bid.id}/`)
      .replace('/coupons/12/', `/coupons/${own.id}/`)
      .replace('"couponId":12', `"couponId":${coupon.id}`);
    const answer = await test.call(null, { method, ...JSON.parse(real), headers: header });
    expect([200, 201], `${example.title}: ${answer.body}`).toContain(answer.statusCode);
    expect(text).toContain(curlOf(example, 'https://market.example'));
  }
});

it('the page for people begins with a key, and says what each call needs', async () => {
  const { body } = await test.call(null, { method: 'GET', url: '/api/docs' });
  expect(body).toContain('Authorization: Bearer clipswap_…');
  expect(body).toContain('A key needs <code>coupons:write</code> and <code>codes:read</code>.');
  expect(body).toContain('For people only');
  expect(body).toContain('Any key may make this call.');
  for (const example of EXAMPLES) expect(body).toContain(example.path.split('?')[0]);
});
