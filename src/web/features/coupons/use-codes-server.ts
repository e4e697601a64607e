import { useMemo } from 'react';
import type { CodesServer } from '#web/lib/kept-codes.ts';
import { trpc } from '#web/lib/trpc.ts';

/** The calls by which this device gets codes and reports what it has shown. */
export function useCodesServer(): CodesServer {
  const { client } = trpc.useUtils();
  return useMemo(
    () => ({
      keep: (given) => client.coupons.keepCodes.mutate(given),
      report: (views) => client.coupons.reportViews.mutate({ views }),
    }),
    [client],
  );
}
