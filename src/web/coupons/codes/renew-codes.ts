import type { QueryClient } from '@tanstack/react-query';
import { forgetCodes, refreshCodes } from '#web/coupons/codes/offline-codes.ts';
import type { createTrpcClient } from '#web/lib/trpc.ts';

/** The first part of the key of the query of what this device keeps. */
export const OFFLINE_CODES = 'offline-codes';

/**
 * Keeps what this device has of somebody's codes as the server has it, and reports what the device has shown. Forgets all
 * where nobody is signed in.
 * @throws where the server cannot be reached or refuses, or the device is full
 */
export async function renewCodes(
  userId: number | null,
  { coupons }: ReturnType<typeof createTrpcClient>,
  queries: QueryClient,
): Promise<void> {
  if (userId === null) return forgetCodes();
  await refreshCodes(userId, {
    keep: (given) => coupons.keepCodes.mutate(given),
    report: (views) => coupons.reportViews.mutate({ views }),
  });
  await queries.invalidateQueries({ queryKey: [OFFLINE_CODES] });
}
