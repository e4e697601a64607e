import { expect, it } from 'vitest';
import { setUpApp } from './app.ts';
import { UNDOCUMENTED } from './documented-answers.ts';

const routes: string[] = [];
/** What the next answers are replaced by. */
let given: { status?: number; type?: string; body?: string } = {};

const test = setUpApp({
  watch(app) {
    app.addHook('onRoute', ({ url }) => void routes.push(url));
    app.get('/api/odd', { schema: { hide: true } }, () => ({}));
    app.addHook('onSend', async (_request, reply, payload) => {
      const { status, type, body } = given;
      if (status) reply.status(status);
      if (type) reply.header('content-type', type);
      return body ?? payload;
    });
  },
});
const get = (url: string) => test.call(null, { method: 'GET', url });

it.each([
  ['/api/announcement', { body: '{"odd":1}' }, /answered 200: answer must/],
  ['/api/coupons/999', { body: '{"error":"No"}' }, /answered 404: answer must have required property 'code'/],
  ['/api/coupons/999', { status: 403 }, /the code not_found has another status/],
  ['/api/coupons', { status: 207 }, /does not describe this status/],
  [
    '/api/coupons/999',
    { status: 429, body: '{"error":"Later","code":"rate_limited"}' },
    /header Retry-After is missing/,
  ],
  ['/api/coupons', { type: 'text/html' }, /does not describe the content type "text\/html"/],
  ['/api/nothing', { body: '{"error":"No"}' }, /answered 404/],
  ['/api/trpc/coupons.byId?input={"id":999}', { body: '{"error":{"data":{"wire":{}}}}' }, /answered 404/],
  ['/api/odd', {}, /does not describe this call/],
])('the answer to %s with %o fails the test', async (url, answer, message) => {
  given = answer;
  await expect(get(url)).rejects.toThrow(message);
  given = {};
  expect((await get('/api/coupons')).statusCode).toBe(200);
});

it('an answer that came another way fails the next call', async () => {
  await test.app.inject('/api/odd');
  await expect(get('/api/coupons')).rejects.toThrow('/api/odd');
});

it('what is not documented is there', () => {
  for (const path of Object.keys(UNDOCUMENTED))
    expect(
      routes.some((route) => route.startsWith(path)),
      path,
    ).toBe(true);
});
