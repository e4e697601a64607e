import { expect, it } from 'vitest';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';

const test = setUpApp();
const URL = '/api/calendar-address';

it('is served without a session at its address, which only its owner can change', async () => {
  const [owner, other] = [await createUser(test.ctx), await createUser(test.ctx)];
  await createCoupon(test.ctx, owner, { title: 'Soup', expiryDate: '2035-06-22' });
  const { url } = (await test.call(owner, { method: 'POST', url: URL })).json();
  const read = () => test.call(null, { method: 'GET', url: url.replace('http://localhost', '') });
  await test.call(other, { method: 'POST', url: URL });
  await test.call(other, { method: 'DELETE', url: URL });
  const answer = await read();
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'cache-control': 'private, no-cache',
  });
  expect(answer.body).toContain('SUMMARY:Soup expires\r\n');
  await test.call(owner, { method: 'DELETE', url: URL });
  expect((await read()).statusCode).toBe(404);
});
