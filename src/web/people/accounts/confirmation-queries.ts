import { trpc } from '#web/lib/trpc.ts';
import { useCurrentUser } from './viewer-queries.ts';

/** How often the dialog that waits for the confirmation asks, for browsers whose live connection is down. */
const ASKS_EVERY_MS = 5_000;

/** The mail that confirms the viewer's address, and whether it is confirmed now. */
export function useConfirmation() {
  const user = useCurrentUser();
  const mail = trpc.accounts.confirmationMail.useQuery(undefined, {
    refetchOnMount: 'always',
    refetchInterval: ASKS_EVERY_MS,
  });
  return {
    address: mail.data?.address ?? user.data?.email ?? null,
    page: mail.data?.page ?? null,
    isConfirmed: mail.data?.isConfirmed === true,
  };
}
