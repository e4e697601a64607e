import { expect, it } from 'vitest';
import { setUpApp } from '#server/testing/app.ts';
import { createCoupon, createUser } from '#server/testing/builders.ts';

const test = setUpApp();

it('a call without a body may name the type of one, as generated clients do', async () => {
  const member = await createUser(test.ctx);
  const call = (method: 'POST' | 'DELETE', url: string) =>
    test.call(member, { method, url, headers: { 'content-type': 'application/json' } });
  const [used, removed] = [await createCoupon(test.ctx, member), await createCoupon(test.ctx, member)];
  expect((await call('POST', `/api/coupons/${used.id}/used`)).statusCode).toBe(200);
  expect((await call('DELETE', `/api/coupons/${removed.id}`)).statusCode).toBe(200);
  const incomplete = await call('POST', '/api/coupons');
  expect([incomplete.statusCode, incomplete.json().code]).toEqual([400, 'bad_input']);
  expect(incomplete.json().issues.map(({ path }: { path: string }) => path)).toContain('title');
});
