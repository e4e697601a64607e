import { strFromU8, unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { makeExports } from '#server/oversight/data-exports/service.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';

const test = setUpApp();

it('is downloaded as one archive by whose data it is, and by nobody else', async () => {
  const [owner, other] = [await createUser(test.ctx), await createUser(test.ctx)];
  await test.call(owner, { method: 'POST', url: '/api/data-export', body: {} });
  await makeExports(test.ctx);
  const read = (person: typeof owner | null) =>
    test.call(person, { method: 'GET', url: '/api/data-export/archive.zip' });
  const { statusCode, headers, rawPayload } = await read(owner);
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'application/zip',
    'content-length': String(rawPayload.length),
    'content-disposition': 'attachment; filename="clipswap-data.zip"',
    'cache-control': 'no-store',
  });
  const [account] = JSON.parse(strFromU8(unzipSync(rawPayload)['account.json'] ?? new Uint8Array()));
  expect(account).toMatchObject({ username: owner.username });
  expect((await read(other)).statusCode).toBe(404);
  expect((await read(null)).statusCode).toBe(401);
});
