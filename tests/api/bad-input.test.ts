import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withField } from '#contract/base/input-texts.ts';
import type { Actor } from '#server/context/context.ts';
import { REST_CALLS } from '#server/rest/table.ts';
import { appRouter } from '#server/router.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { inputSchemaOf } from '#tests/support/input-schemas.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { PEOPLE, type World } from './access-people.ts';
import { ACCESS } from './access-table.ts';
import { badValuesFor, inTurn, type JsonSchema, OTHER_TYPES, PATH_IDS } from './bad-values.ts';
import { requestOf } from './rest-requests.ts';

interface Definition {
  type: 'query' | 'mutation';
  inputs: z.ZodType[];
}

const procedures = Object.entries(
  appRouter._def.procedures as unknown as Record<string, { _def: Definition }>,
).map(([path, procedure]) => ({ path, ...procedure._def }));

const test = setUpApp();
let owner: Actor;
/** A valid input of each call that takes one: that of the access table, about things of which most are not there. */
const valid: Record<string, object> = {};

beforeAll(async () => {
  owner = await createUser(test.ctx);
  const { id: couponId } = await createCoupon(test.ctx, owner);
  const people = Object.fromEntries(PEOPLE.map((person) => [person, owner]));
  const ownCouponIds = Object.fromEntries(PEOPLE.map((person) => [person, couponId]));
  const sale = { bidId: 1, paymentId: 1, claimId: 1 };
  const id = 'A'.repeat(22);
  const known = { people, couponId, ownCouponIds, sale, claimed: sale, imageId: id, evidenceId: id };
  const world = new Proxy(known as unknown as World, {
    get: (target, part) => Reflect.get(target, part) ?? 1,
  });
  for (const [name, [, input]] of Object.entries(ACCESS)) {
    const [path = ''] = name.split(' ');
    valid[path] = Object(input?.(world, 'owner'));
  }
  // Without codes nobody looks at the password.
  Object.assign(valid['dataExports.request'] ?? {}, { hasCodes: true });
});

/** Expects a refusal with a message and a code, and without internals. */
function expectRefusal(wire: unknown, status: number, about: string) {
  expect(status, about).toBeGreaterThanOrEqual(400);
  expect(status, about).toBeLessThan(500);
  expect(wire, about).toMatchObject({
    error: expect.stringMatching(/\S/),
    code: expect.stringMatching(/^[a-z_]+$/),
  });
  expect(JSON.stringify(wire), about).not.toMatch(
    /\bat .+\.(ts|js):\d+|node_modules|select .+ from|insert into|relation/i,
  );
}

describe('bad input', () => {
  const withInput = procedures.filter(({ inputs }) => inputs.length > 0);

  it.each(withInput)(
    '$path refuses every wrong value of every field, at both APIs',
    async ({ path, type, inputs }) => {
      const [schema] = inputs;
      if (!schema) throw new Error('no input schema');
      const { properties = {} }: JsonSchema = inputSchemaOf(schema);
      const rest = REST_CALLS.find(({ procedure }) => procedure === path);
      for (const [name, property] of Object.entries(properties)) {
        if (property.description === 'Accepted and ignored') continue;
        for (const [index, bad] of inTurn(badValuesFor(name, property)).entries()) {
          const input = { ...valid[path], [name]: bad };
          const about = `${path} ${name}=${JSON.stringify(bad).slice(0, 40)}`;
          const answer = await test.trpc(owner, type, path, input);
          expectRefusal(answer.json().error?.data?.wire, answer.statusCode, about);
          if (answer.statusCode === 400)
            expect(answer.json().error.data.wire.issues?.[0]?.path, about).toMatch(name);

          // Values in the path have their own test below; values in a query are always text. Both APIs check with the
          // same schema: in the short form one wrong value of each field is enough at the second.
          if (index >= shortOrLong(1, Number.POSITIVE_INFINITY)) continue;
          if (!rest || rest.method === 'GET' || rest.path.includes(`:${name}`)) continue;
          const restAnswer = await test.call(owner, requestOf(rest, input));
          expectRefusal(restAnswer.json(), restAnswer.statusCode, `${rest.method} ${about}`);
        }
      }
    },
  );

  it.each(withInput)('$path takes no object with fields that nobody names', ({ inputs: [schema] }) => {
    const open: string[] = [];
    const described = inputSchemaOf(schema ?? z.never());
    JSON.stringify(described, (name, part) => {
      if (part?.type === 'object' && part.additionalProperties === undefined) open.push(name);
      return part;
    });
    expect(open).toEqual([]);
  });

  it.each(withInput)('$path says of a number that is too large that it is', ({ path, inputs: [schema] }) => {
    if (!schema) throw new Error('no input schema');
    const { properties = {} }: JsonSchema = inputSchemaOf(schema);
    for (const [name, property] of Object.entries(properties)) {
      const kinds = property.anyOf ?? [property];
      const isNumber = kinds.some(
        ({ type = '', enum: values, const: only }) =>
          ['integer', 'number'].includes(type) && values === undefined && only === undefined,
      );
      // Infinity is what JSON makes of 1e400.
      for (const large of isNumber ? [1e20, Number.POSITIVE_INFINITY] : []) {
        const { issues = [] } = schema.safeParse({ ...valid[path], [name]: large }).error ?? {};
        const texts = issues.filter((issue) => issue.path[0] === name).map(withField);
        expect(texts[0], `${path} ${name}=${large}`).toMatch(/too large|at most|from 1 to/);
        expect(texts[0], `${path} ${name}=${large}`).toMatch(new RegExp(`^${name}: |^Value|^A key|rating`));
      }
    }
  });

  it.each(withInput)('$path refuses input that is no object', async ({ path, type }) => {
    for (const bad of inTurn(['text', 5, null, true, [], [{}]])) {
      const answer = await test.trpc(owner, type, path, bad);
      expectRefusal(answer.json().error?.data?.wire, answer.statusCode, `${path} ${JSON.stringify(bad)}`);
    }
  });

  const writes = REST_CALLS.filter(({ method }) => method !== 'GET');

  it.each(writes)(
    '$method $path refuses bodies that are not JSON objects [decisions 6.6.2]',
    async (call) => {
      const { method, path } = call;
      const { url } = requestOf(call, { id: 1 });
      const bodies = [
        '{',
        '{"a":',
        '[]',
        '5',
        '"text"',
        'null garbage',
        `{"a":${'['.repeat(5_000)}`,
        '{"__proto__":{"x":1}}',
      ];
      for (const body of inTurn(bodies)) {
        const answer = await test.call(owner, { method, url, body });
        expectRefusal(answer.json(), answer.statusCode, `${method} ${path} ${body.slice(0, 30)}`);
      }
      const oversized = await test.call(owner, { method, url, body: { padding: 'x'.repeat(70_000) } });
      expect(oversized.statusCode).toBe(413);
      expectRefusal(oversized.json(), oversized.statusCode, 'oversized');
      for (const type of inTurn(OTHER_TYPES)) {
        const answer = await test.call(owner, {
          method,
          url,
          body: 'a=1',
          headers: { 'content-type': type },
        });
        expect(answer.statusCode, type).toBe(415);
        expectRefusal(answer.json(), answer.statusCode, type);
      }
    },
  );

  it.each(REST_CALLS.filter(({ path }) => path.includes(':id')))(
    '$method $path refuses ids that are none',
    async ({ method, path, procedure }) => {
      const { id: _, ...body } = { id: 0, ...valid[procedure] };
      for (const id of inTurn(PATH_IDS)) {
        const url = path.replace(':id', id);
        const answer = await test.call(owner, { method, url, ...(method !== 'GET' && { body }) });
        expectRefusal(answer.json(), answer.statusCode, `${method} ${url}`);
      }
    },
  );

  it.each([
    ['/api/coupons?limit=99999999999999999999', 'limit: Is too large'],
    ['/api/coupons?limit=101', 'limit: Must be at most 100'],
    ['/api/coupons?page=10001', 'page: Must be at most 10,000'],
    ['/api/coupons/99999999999999999999', 'id: Is too large'],
    ['/api/coupons/2147483648', 'id: Is too large for an id'],
    ['/api/coupons?colour=red', 'Unknown field: colour'],
    ['/api/coupons/1?colour=red&size=1', 'Unknown fields: colour and size'],
    ['/api/wants?page=2', 'Unknown field: page'],
    ['/api/seller-statement.csv?month=2035-05&colour=red', 'Unknown field: colour'],
  ])('%s says %s', async (url, error) => {
    expect((await test.call(owner, { method: 'GET', url })).json()).toMatchObject({ error });
  });

  it('is not what the documents let clients send beyond what we read', async () => {
    const ignored = {
      isVerified: true,
      ownerId: 1,
      isActive: false,
      validationMethod: 'x',
      validatedAt: 'x',
    };
    const body = { ...valid['coupons.create'], ...ignored };
    const added = await test.call(owner, { method: 'POST', url: '/api/coupons', body });
    const { id } = added.json();
    const edit = { title: 'Two teas', ...ignored };
    const edited = await test.call(owner, { method: 'PATCH', url: `/api/coupons/${id}`, body: edit });
    for (const answer of [added, edited])
      expect(answer.json()).toMatchObject({ isVerified: false, ownerId: owner.id, isActive: true });
    const saved = { couponId: id, title: 'Two teas', value: 450 };
    const answer = await test.call(await createUser(test.ctx), {
      method: 'POST',
      url: '/api/save-coupon',
      body: saved,
    });
    expect(answer.json()).toEqual({ ok: true });
  });

  it('refuses texts in the address that do not fit, and paths and methods that are not there', async () => {
    const addresses = [
      '/api/coupons?page=0',
      '/api/coupons?page=abc',
      '/api/coupons?limit=101',
      '/api/coupons?limit=-1',
      '/api/coupons?minValue=NaN',
      '/api/coupons?minValue=1.5',
      '/api/coupons?maxValue=-1',
      '/api/coupons?sort=best',
      '/api/coupons?category=nope',
      '/api/coupons?page=%00',
      '/api/coupons?page=AAAA',
      '/api/coupons?search=%00',
      `/api/coupons?search=${'x'.repeat(200)}`,
      '/api/coupons?search=a&search=b',
      '/api/coupons?expiryDays=Infinity',
      '/api/nothing',
      '/api/trpc/nothing',
      '/api/trpc/coupons.nothing',
      '/api/trpc/coupons.list?input=%7B',
      '/api/trpc/coupons.list?input=%ZZ',
      '/api/coupons/1/2/3/4',
      `/api/coupons/${'9'.repeat(300)}`,
    ];
    for (const url of addresses) {
      const answer = await test.call(null, { method: 'GET', url });
      const body = answer.json();
      expectRefusal(body.error?.data?.wire ?? body, answer.statusCode, url);
    }
    for (const method of ['PUT', 'DELETE', 'PATCH'] as const) {
      const answer = await test.call(owner, { method, url: '/api/coupons' });
      expectRefusal(answer.json(), answer.statusCode, method);
    }
  });
});
