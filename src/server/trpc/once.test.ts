import { expect, it } from 'vitest';
import { sha256 } from '#server/core/crypto.ts';
import { AppError } from '#server/core/errors.ts';
import { actingAs, createUser, setUpContext } from '#tests/support/builders.ts';
import { callOnce } from './once.ts';

const ctx = setUpContext();
const input = { title: 'Soup', codeValue: 'GO-5' };
const call = { procedure: 'coupons.create', readInput: async () => input };

/** A call with this key that fails so. */
const fail = async (key: string, error: Error) => {
  const me = actingAs(ctx, await createUser(ctx));
  const make: Parameters<typeof callOnce>[2] = async (read) => {
    await read({ ...me, apiKey: null });
    throw error;
  };
  await expect(callOnce(ctx, { ...call, key }, make)).rejects.toBe(error);
  return ctx.db.selectFrom('idempotencyKeys').select('callHash').execute();
};

it.each([
  ['is free again after a refusal', new AppError('conflict', 'No'), 0],
  ['is kept where the database was lost: the call may be done', new AppError('unavailable', 'Away'), 1],
  ['is kept after a mistake of ours', new Error('a mistake'), 1],
])('a key %s', async (_what, error, kept) => {
  await ctx.db.deleteFrom('idempotencyKeys').execute();
  const rows = await fail('one', error);
  expect(rows).toHaveLength(kept);
  // A short code could be guessed from a hash without a key.
  for (const { callHash } of rows) expect(callHash).not.toBe(sha256(JSON.stringify([call.procedure, input])));
});
