import { t } from '@lingui/core/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { chooseCodes, forgetCodes, offlineState } from '#web/coupons/codes/offline-codes.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { registerWorker } from '#web/lib/register-worker.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { OFFLINE_CODES, renewCodes } from './renew-codes.ts';

/** The coupons whose codes are offline; null: all, undefined: none. */
type Choice = readonly number[] | null | undefined;

/** What this device keeps of the viewer's codes (null: nothing), and the change of that. */
export function useOfflineChoice() {
  const { id: userId } = useMember();
  const { client } = trpc.useUtils();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: [OFFLINE_CODES, userId],
    queryFn: () => offlineState(userId),
    staleTime: 0,
    retry: false,
  });
  /** What was chosen, while it is carried out. */
  const [wanted, setWanted] = useState<{ readonly choice: Choice } | null>(null);
  const before: Choice = query.data?.only;
  const choose = async (next: Choice) => {
    setWanted({ choice: next });
    try {
      if (next === undefined) await forgetCodes();
      else {
        await chooseCodes(userId, next);
        await renewCodes(userId, client, queries);
        // Without it no page opens where the codes are needed.
        await registerWorker();
      }
    } catch (error) {
      // Nothing stays half done.
      if (before === undefined) await forgetCodes().catch(() => {});
      toasts.failure(t`Codes not kept`, problemOf(error));
    }
    await query.refetch();
    setWanted(null);
  };
  return { query, choice: wanted ? wanted.choice : before, isBusy: wanted !== null, choose };
}

function problemOf(error: unknown): string {
  const name = error instanceof DOMException ? error.name : null;
  if (name === 'QuotaExceededError') return t`This device has no room left for them.`;
  if (name !== null) return t`This browser does not let us keep anything. Is the window private?`;
  return writeErrorText(error, t`Please try again.`);
}
