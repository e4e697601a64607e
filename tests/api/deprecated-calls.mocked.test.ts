import { expect, it, vi } from 'vitest';
import { createApiKey } from '#tests/support/api-keys.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';

/** Two calls that are deprecated here say so; the others say nothing. */

vi.mock('#server/rest/table.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('#server/rest/table.ts')>();
  const deprecation = { since: '2027-01-15', until: '2027-09-01' };
  const REST_CALLS = original.REST_CALLS.map((call) =>
    ['/api/user/key', '/api/coupons'].includes(call.path) && call.method === 'GET'
      ? { ...call, deprecation }
      : call,
  );
  return { ...original, REST_CALLS };
});

const test = setUpApp();

const SAID = { deprecation: '@1799971200', sunset: 'Wed, 01 Sep 2027 00:00:00 GMT' };
const WHERE = '</developers#changes>; rel="deprecation"; type="text/html"';

it('with the dates of RFC 9745 and RFC 8594 in each answer, refusals too, and in the document', async () => {
  const { token } = await createApiKey(test.ctx, await createUser(test.ctx));
  const read = (url: string, headers = {}) => test.call(null, { method: 'GET', url, headers });
  const answers = [
    await read('/api/user/key', { authorization: `Bearer ${token}` }),
    await read('/api/user/key'),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 401]);
  for (const { headers } of answers) expect(headers).toMatchObject({ ...SAID, link: WHERE });
  const { paths } = (await read('/api/openapi.json')).json();
  expect([paths['/api/user/key'].get.deprecated, paths['/api/user'].get.deprecated]).toEqual([
    true,
    undefined,
  ]);
  expect((await read('/api/announcement')).headers).not.toHaveProperty('deprecation');
});

it('beside the links of a list', async () => {
  const owner = await createUser(test.ctx);
  for (let count = 0; count < 2; count += 1) await createCoupon(test.ctx, owner);
  const { headers } = await test.call(null, { method: 'GET', url: '/api/coupons?limit=1' });
  expect(headers.link).toMatch(
    /^<\/developers#changes>; rel="deprecation"; type="text\/html", <.+>; rel="next"$/,
  );
});
