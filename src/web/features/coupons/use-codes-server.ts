import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
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

/** The first part of the key of the query of what this device keeps. */
export const KEPT_CODES = 'kept-codes';

/** Reads again what this device keeps. */
export function useReadKeptAgain(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(() => client.invalidateQueries({ queryKey: [KEPT_CODES] }), [client]);
}
