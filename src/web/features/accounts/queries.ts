import { hashKey, type Query, useMutation, useQueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { SessionUser } from '#contract/accounts.ts';
import { CHALLENGE_MINUTES } from '#contract/limits.ts';
import { hasCode } from '#web/lib/errors.ts';
import { forgetTypedByOthers } from '#web/lib/kept-values.ts';
import { answerWithPasskey, cancelPasskey, canOfferPasskeys, makePasskey } from '#web/lib/passkeys.ts';
import { useRefresh } from '#web/lib/query-client.ts';
import { trpc } from '#web/lib/trpc.ts';

/** The signed-in person; null for a visitor. */
export function useCurrentUser() {
  return trpc.accounts.me.useQuery();
}

/** The people of the demo data, if there is any. */
export function useDemoPeople() {
  return trpc.accounts.demoPeople.useQuery();
}

function isMe(query: Query): boolean {
  return query.queryHash === hashKey(getQueryKey(trpc.accounts.me, undefined, 'query'));
}

/** Whether the query's data was dropped and is not being fetched. */
function isDropped({ state }: Query): boolean {
  return state.status === 'pending' && state.fetchStatus === 'idle';
}

/**
 * Keeps the query cache to one person. When the viewer changes (signed in or out, here, in another tab, or by a
 * session that ended) all other data is dropped before anything is drawn, and what is still on screen is refetched.
 * A call refused with 401 fetches the viewer again.
 * @param userId null for a visitor, undefined until it is known
 */
export function useResetOnViewerChange(userId: number | null | undefined): void {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const refresh = useRefresh();

  useEffect(() => {
    const read = () => {
      const me = utils.accounts.me.getData();
      return me === undefined ? undefined : (me?.id ?? null);
    };
    let known = read();
    const refetchViewer = (error: unknown) => {
      if (known && hasCode(error, 'unauthorized')) void refresh('accounts.me');
    };
    const stopQueries = queryClient.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated') return;
      // 'failed': the query will be retried. 'error': it will not.
      if (event.action.type === 'failed' || event.action.type === 'error') refetchViewer(event.action.error);
      if (event.action.type !== 'success' || !isMe(event.query)) return;
      const before = known;
      known = read();
      if (before === undefined || before === known) return;
      for (const query of queryClient.getQueryCache().getAll()) if (!isMe(query)) query.reset();
    });
    const stopMutations = queryClient.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') refetchViewer(event.action.error);
    });
    return () => {
      stopQueries();
      stopMutations();
    };
  }, [queryClient, refresh, utils]);

  // In an effect: by then the previous viewer's queries are unmounted and are not refetched.
  useEffect(() => {
    if (userId !== undefined) void queryClient.refetchQueries({ type: 'active', predicate: isDropped });
  }, [queryClient, userId]);
}

/** Sets who is signed in. */
function useSetViewer() {
  const utils = trpc.useUtils();
  return async (user: SessionUser | null) => {
    forgetTypedByOthers(user?.id);
    await utils.accounts.me.cancel();
    utils.accounts.me.setData(undefined, user);
  };
}

export function useLogin() {
  const setViewer = useSetViewer();
  return trpc.accounts.login.useMutation({ onSuccess: setViewer });
}

export function useRegister() {
  const setViewer = useSetViewer();
  return trpc.accounts.register.useMutation({ onSuccess: setViewer });
}

/** @param leave navigates to a public page before the viewer is set to null */
export function useLogout(leave: () => void | Promise<void>) {
  const setViewer = useSetViewer();
  return trpc.accounts.logout.useMutation({
    onSuccess: async () => {
      await leave();
      await setViewer(null);
    },
  });
}

export function useUpdateProfile() {
  return trpc.accounts.updateProfile.useMutation();
}

export function useChangePassword() {
  return trpc.accounts.changePassword.useMutation();
}

/** Sends the mail with the confirmation link again. */
export function useSendVerification() {
  return trpc.accounts.sendVerification.useMutation();
}

export function useVerifyEmail() {
  return trpc.accounts.verifyEmail.useMutation();
}

export function useRequestPasswordReset() {
  return trpc.accounts.requestPasswordReset.useMutation();
}

/** Ends every session of the account, this browser's too. */
export function useResetPassword() {
  return trpc.accounts.resetPassword.useMutation();
}

export function useDeviceSessions() {
  return trpc.accounts.sessions.useQuery();
}

export function useSignIns() {
  return trpc.accounts.signIns.useQuery();
}

export function useSecondFactor(isEnabled = true) {
  return trpc.accounts.secondFactor.useQuery(undefined, { enabled: isEnabled });
}

export function useStartSecondFactor() {
  return trpc.accounts.startSecondFactor.useMutation({ gcTime: 0 });
}

export function useEnableSecondFactor() {
  return trpc.accounts.enableSecondFactor.useMutation({ gcTime: 0 });
}

export function useConfirmSecondFactor() {
  return trpc.accounts.confirmSecondFactor.useMutation();
}

export function useRenewRecoveryCodes() {
  return trpc.accounts.renewRecoveryCodes.useMutation({ gcTime: 0 });
}

export function useDisableSecondFactor() {
  return trpc.accounts.disableSecondFactor.useMutation();
}

export function useEndSession() {
  return trpc.accounts.endSession.useMutation();
}

/** Ends all sessions but this browser's. */
export function useEndOtherSessions() {
  return trpc.accounts.endOtherSessions.useMutation();
}

/** @param leave navigates to a public page before the viewer is set to null */
export function useDeleteAccount(leave: () => void | Promise<void>) {
  const setViewer = useSetViewer();
  return trpc.accounts.deleteAccount.useMutation({
    onSuccess: async () => {
      await leave();
      await setViewer(null);
    },
  });
}

/** Unsubscribes from one kind of mail by the token of the mailed link. */
export function useUnsubscribe() {
  return trpc.notifications.unsubscribe.useMutation();
}

/** Signs in by passkey. Its input: whether the field for the name offers it, without a dialog. */
export function usePasskeySignIn() {
  const setViewer = useSetViewer();
  const start = trpc.accounts.startPasskeySignIn.useMutation();
  const login = trpc.accounts.loginWithPasskey.useMutation({ onSuccess: setViewer });
  return useMutation({
    mutationFn: async (isOffer: boolean) => {
      const passkey = await answerWithPasskey(await start.mutateAsync(), isOffer);
      return login.mutateAsync({ passkey });
    },
  });
}

/** Offers passkeys in the field for the name while the form is open; each offer lasts as long as its challenge. */
export function usePasskeyOffer(offer: () => void): void {
  const renew = useEffectEvent(offer);
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined;
    let isClosed = false;
    void canOfferPasskeys().then((can) => {
      if (!can || isClosed) return;
      renew();
      timer = setInterval(renew, (CHALLENGE_MINUTES - 1) * 60_000);
    });
    return () => {
      isClosed = true;
      clearInterval(timer);
      cancelPasskey();
    };
  }, []);
}

/** Asks for one of the viewer's passkeys, as a proof for a call. */
export function usePasskeyProof() {
  const start = trpc.accounts.startPasskeyCheck.useMutation();
  return useMutation({ mutationFn: async () => answerWithPasskey(await start.mutateAsync()) });
}

export function usePasskeys(isEnabled = true) {
  return trpc.accounts.passkeys.useQuery(undefined, { enabled: isEnabled });
}

/** Begins to add a passkey. */
export function useStartPasskey() {
  return trpc.accounts.startPasskey.useMutation();
}

/** Makes a passkey in the browser, and stores it. */
export function useAddPasskey() {
  const add = trpc.accounts.addPasskey.useMutation();
  return useMutation({
    mutationFn: async (given: { name: string; creation: Parameters<typeof makePasskey>[0] }) =>
      add.mutateAsync({ name: given.name, passkey: await makePasskey(given.creation) }),
  });
}

export function useRenamePasskey() {
  return trpc.accounts.renamePasskey.useMutation();
}

export function useRemovePasskey() {
  return trpc.accounts.removePasskey.useMutation();
}
