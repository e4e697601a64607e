import { hashKey, type Query, useQueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { useEffect } from 'react';
import type { SessionUser } from '#contract/accounts.ts';
import { hasCode } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';

/** The signed-in person; null for a visitor. */
export function useCurrentUser() {
  return trpc.accounts.me.useQuery();
}

/** The people of the demo data, where there is any. */
export function useDemoPeople() {
  return trpc.accounts.demoPeople.useQuery();
}

function isMe(query: Query): boolean {
  return query.queryHash === hashKey(getQueryKey(trpc.accounts.me, undefined, 'query'));
}

/** What was dropped when somebody else came, and that nobody reads anew so far. */
function isDropped({ state }: Query): boolean {
  return state.status === 'pending' && state.fetchStatus === 'idle';
}

/**
 * Keeps what has been read to one person. When somebody else stands before the screen (signed in or out, here,
 * in another tab, or by a session that ended) the data of the one before is dropped before anything is drawn,
 * and what is still on screen is read anew. A call refused with 401 asks again who is there.
 * @param userId null for a visitor, undefined until it is known
 */
export function useOnePersonsData(userId: number | null | undefined): void {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();

  useEffect(() => {
    const read = () => {
      const me = utils.accounts.me.getData();
      return me === undefined ? undefined : (me?.id ?? null);
    };
    let known = read();
    const askAgain = (error: unknown) => {
      if (known && hasCode(error, 'unauthorized')) void utils.accounts.me.invalidate();
    };
    const stopQueries = queryClient.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated') return;
      // 'failed' will be tried again, 'error' will not.
      if (event.action.type === 'failed' || event.action.type === 'error') askAgain(event.action.error);
      if (event.action.type !== 'success' || !isMe(event.query)) return;
      const before = known;
      known = read();
      if (before === undefined || before === known) return;
      for (const query of queryClient.getQueryCache().getAll()) if (!isMe(query)) query.reset();
    });
    const stopMutations = queryClient.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') askAgain(event.action.error);
    });
    return () => {
      stopQueries();
      stopMutations();
    };
  }, [queryClient, utils]);

  // Only now: what belongs to the one before has left the screen with them and must not be asked for again.
  useEffect(() => {
    if (userId !== undefined) void queryClient.refetchQueries({ type: 'active', predicate: isDropped });
  }, [queryClient, userId]);
}

/** Puts somebody else before the screen. */
function useBecome() {
  const utils = trpc.useUtils();
  return async (user: SessionUser | null) => {
    await utils.accounts.me.cancel();
    utils.accounts.me.setData(undefined, user);
  };
}

export function useLogin() {
  const become = useBecome();
  return trpc.accounts.login.useMutation({ onSuccess: become });
}

export function useRegister() {
  const become = useBecome();
  return trpc.accounts.register.useMutation({ onSuccess: become });
}

/** @param leave goes where everybody may be, before the page finds out that nobody is signed in any more */
export function useLogout(leave: () => void | Promise<void>) {
  const become = useBecome();
  return trpc.accounts.logout.useMutation({
    onSuccess: async () => {
      await leave();
      await become(null);
    },
  });
}

/** Reads anew who is there: what they have changed of themselves stands on every page. */
function useReadMeAnew() {
  const utils = trpc.useUtils();
  return () => utils.accounts.me.invalidate();
}

export function useUpdateProfile() {
  const readAnew = useReadMeAnew();
  return trpc.accounts.updateProfile.useMutation({ onSuccess: readAnew });
}

/** A new password signs out every other browser, and takes back a new address that waits. */
export function useChangePassword() {
  const utils = trpc.useUtils();
  const readAnew = useReadMeAnew();
  return trpc.accounts.changePassword.useMutation({
    onSuccess: () => Promise.all([utils.accounts.sessions.invalidate(), readAnew()]),
  });
}

/** Mails the link that confirms the address once more. */
export function useSendVerification() {
  return trpc.accounts.sendVerification.useMutation();
}

export function useVerifyEmail() {
  const readAnew = useReadMeAnew();
  return trpc.accounts.verifyEmail.useMutation({ onSuccess: readAnew });
}

export function useRequestPasswordReset() {
  return trpc.accounts.requestPasswordReset.useMutation();
}

/** Ends every session of the account, this browser's too if it has one. */
export function useResetPassword() {
  const readAnew = useReadMeAnew();
  return trpc.accounts.resetPassword.useMutation({ onSuccess: readAnew });
}

/** The browsers that are signed in to the account. */
export function useDeviceSessions() {
  return trpc.accounts.sessions.useQuery();
}

/** Under way until the list on screen is true again. */
export function useEndSession() {
  const utils = trpc.useUtils();
  return trpc.accounts.endSession.useMutation({ onSettled: () => utils.accounts.sessions.invalidate() });
}

/** The same for all but this one. */
export function useEndOtherSessions() {
  const utils = trpc.useUtils();
  return trpc.accounts.endOtherSessions.useMutation({
    onSettled: () => utils.accounts.sessions.invalidate(),
  });
}

/** @param leave goes where everybody may be, before the page finds out that nobody is signed in any more */
export function useDeleteAccount(leave: () => void | Promise<void>) {
  const become = useBecome();
  return trpc.accounts.deleteAccount.useMutation({
    onSuccess: async () => {
      await leave();
      await become(null);
    },
  });
}

/** Stops the mails of a kind, by the link of one of them. */
export function useUnsubscribe() {
  return trpc.notifications.unsubscribe.useMutation();
}
