import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { WEBHOOK_EVENTS } from '#contract/people/webhooks.ts';
import { curlOf, EXAMPLES } from '#server/rest/examples.ts';
import { REST_CALLS } from '#server/rest/table.ts';
import { createApiKey } from '#tests/support/api-keys.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';

/** What the documentation tells programs. */

const test = setUpApp();

interface Body {
  readonly content: Record<string, { schema: object; example?: unknown }>;
}

interface Operation {
  readonly summary: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly requestBody?: Body | { readonly $ref: string };
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
        content: {
          'application/json': {
            schema: {
              properties: {
                type: { const: 'bid.accepted' },
                data: { $ref: '#/components/schemas/DealNews' },
              },
            },
          },
        },
      },
    },
  });
  expect(paths['/api/bids']?.post).toMatchObject({
    requestBody: {
      content: {
        'application/json': {
          schema: { properties: { amount: { $ref: '#/components/schemas/BidAmount' } } },
          example: { amount: '3.50' },
        },
      },
    },
  });
});

it('the document has what calls share once, under the name that the code has for it', async () => {
  const { body } = await test.call(null, { method: 'GET', url: '/api/openapi.json' });
  expect(body.length).toBeLessThan(300_000);
  const { paths, components, tags } = JSON.parse(body);
  const { schemas, parameters } = components;
  const answerOf = (path: string, method: string, status: number) => {
    const answer = paths[path][method].responses[status];
    const { content } = answer.$ref ? components.responses[answer.$ref.split('/').at(-1)] : answer;
    return content['application/json'].schema;
  };
  expect(answerOf('/api/coupons/{id}', 'get', 200)).toEqual({ $ref: '#/components/schemas/Coupon' });
  expect(answerOf('/api/bids', 'get', 200).items).toEqual({ $ref: '#/components/schemas/Bid' });
  expect(schemas.Coupon.properties.category).toEqual({ $ref: '#/components/schemas/StoredCategory' });
  expect(schemas.Bid.properties.amount).toEqual({ $ref: '#/components/schemas/Amount' });
  expect(schemas.BidAmount.description).toMatch(/decimal text/);
  for (const name of ['Country', 'Currency', 'Category', 'BidReason', 'DealReason', 'ReportReason'])
    expect(schemas[name].enum, name).toEqual(expect.arrayContaining([expect.any(String)]));
  const floors = ['people', 'coupons', 'deals', 'money', 'oversight'];
  expect(tags.map(({ name }: { name: string }) => name)).toEqual(floors);
  const ajv = new Ajv2020({ strict: false, validateFormats: false, unicodeRegExp: false });
  const fits = (schema: object, value: unknown) =>
    ajv.compile({ ...schema, components })(value) || ajv.errorsText();
  const examples: unknown[] = [];
  for (const operation of Object.values<Record<string, Operation>>(paths).flatMap(Object.values<Operation>)) {
    expect(
      operation.tags.map((tag) => floors.includes(tag)),
      operation.operationId,
    ).toEqual([true]);
    const { requestBody } = operation;
    const taken: Body | undefined =
      requestBody && '$ref' in requestBody
        ? components.requestBodies[requestBody.$ref.split('/').at(-1) ?? '']
        : requestBody;
    const { schema, example } = taken?.content['application/json'] ?? {};
    if (schema && example) examples.push(fits(schema, example));
  }
  for (const schema of Object.values<{ examples?: unknown[] }>(schemas))
    examples.push(...(schema.examples ?? []).map((example) => fits(schema, example)));
  expect(examples.length).toBeGreaterThan(EXAMPLES.filter(({ body }) => body).length);
  expect(new Set(examples)).toEqual(new Set([true]));
  for (const [, kind, name] of body.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g))
    expect(components[kind ?? ''][name ?? ''], `${kind}/${name}`).toBeDefined();
  expect(parameters.id.schema).toEqual({ $ref: '#/components/schemas/Id' });
});

it('a name of the document is the one that the schema has in the code', () => {
  const files = readdirSync('src/contract', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const statements = files.flatMap((file) =>
    readFileSync(path.join('src/contract', file), 'utf8').split(
      /\n(?=(?:export )?(?:const|function) |\w+Schema\.register)/,
    ),
  );
  const names = statements.flatMap((statement) => {
    const id = /\b(?:meta|register)\([^)]*?\bid: '(\w+)'/.exec(statement)?.[1];
    return id ? [[id, /(\w+)Schema\b/.exec(statement)?.[1]]] : [];
  });
  expect(names.length).toBeGreaterThan(100);
  for (const [id, name] of names) expect(name?.replace(/^./, (first) => first.toUpperCase())).toBe(id);
});

it('the document says for each call which scopes a key needs, and what is refused', async () => {
  const { paths, components } = await readDocument();
  expect(components.securitySchemes).toMatchObject({
    key: { type: 'http', scheme: 'bearer' },
    session: { type: 'apiKey', in: 'cookie', name: 'clipswap' },
  });
  const [tooMany, refused, failed, ...answers] = Object.keys(components.responses ?? {});
  expect([tooMany, refused, failed]).toEqual(['TooManyRequests', 'Refused', 'Failed']);
  expect(answers.filter((name) => !(name in (components.schemas ?? {})))).toEqual(['Unchanged']);
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
