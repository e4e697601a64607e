import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { CHALLENGE_MINUTES } from '#contract/limits.ts';
import { answerWithPasskey, cancelPasskey, canOfferPasskeys, makePasskey } from '#web/lib/passkeys.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSetViewer } from './viewer-queries.ts';

/** The people of the demo data, if there is any. */
export function useDemoPeople() {
  return trpc.accounts.demoPeople.useQuery();
}

/** Signs in; the page is then loaded anew. */
export function useLogin() {
  return trpc.accounts.login.useMutation();
}

/** Registers and signs in; the page is then loaded anew. */
export function useRegister() {
  return trpc.accounts.register.useMutation();
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

/** Signs a banned person in; the page is then loaded anew. */
export function useStartDefence() {
  return trpc.accounts.startDefence.useMutation();
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
  const start = trpc.accounts.startPasskeySignIn.useMutation();
  const login = trpc.accounts.loginWithPasskey.useMutation();
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

/** Whether the viewer is away. */
export function useAbsence() {
  return trpc.away.get.useQuery();
}

export function useSetAway() {
  return trpc.away.set.useMutation();
}
