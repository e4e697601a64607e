import { expect, it, vi } from 'vitest';
import { createQueryClient } from './query-client.ts';

vi.mock('./touches.ts', () => {
  throw new Error('offline');
});

it('refreshes everything when it cannot be loaded what a mutation touches', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const client = createQueryClient();
  client.setQueryData(['thing'], 'old');
  const mutate = (mutationKey: readonly unknown[]) =>
    client
      .getMutationCache()
      .build(client, { mutationKey, mutationFn: async () => 'done' })
      .execute(undefined);

  await mutate(['not of tRPC']);
  expect(client.getQueryState(['thing'])?.isInvalidated).toBe(false);
  await mutate([['bids', 'setStatus']]);
  expect(client.getQueryState(['thing'])?.isInvalidated).toBe(true);
});
