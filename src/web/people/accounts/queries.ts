import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { z } from 'zod';
import { CHALLENGE_MINUTES } from '#contract/base/limits.ts';
import type { registerWithPasskeyFormSchema } from '#contract/people/accounts.ts';
import type { IdentityProvider } from '#contract/people/identities.ts';
import { pageConfig } from '#web/lib/page-config.ts';
import { trpc } from '#web/lib/trpc.ts';
import {
  answerWithPasskey,
  cancelPasskey,
  canOfferPasskeys,
  makePasskey,
} from '#web/people/accounts/passkeys.ts';

export function useSecondFactor(isEnabled = true) {
  return trpc.accounts.secondFactor.useQuery(undefined, { enabled: isEnabled });
}

/** Proposes a username for an address: one each; '' where there is none. */
export function useProposeUsername(): (email: string) => Promise<string> {
  const { mutateAsync } = trpc.accounts.proposeUsername.useMutation();
  const last = useRef<{ readonly name: string; readonly username: Promise<string> }>(null);
  return (email) => {
    const name = email.replace(/@.*/, '');
    if (last.current?.name !== name) {
      const username = mutateAsync({ name }).then(
        (proposed) => proposed.username,
        () => '',
      );
      last.current = { name, username };
    }
    return last.current.username;
  };
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

/** Makes a passkey in the browser, and registers and signs in the person with it. */
export function usePasskeyRegistration() {
  const start = trpc.accounts.startPasskeyRegistration.useMutation();
  const register = trpc.accounts.registerWithPasskey.useMutation();
  return useMutation({
    mutationFn: async (person: z.output<typeof registerWithPasskeyFormSchema>) => {
      const creation = await start.mutateAsync({ username: person.username });
      return register.mutateAsync({ ...person, passkey: await makePasskey(creation) });
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

/** Makes a passkey in the browser, and stores it. */
export function useAddPasskey() {
  const add = trpc.accounts.addPasskey.useMutation();
  return useMutation({
    mutationFn: async (given: { name: string; creation: Parameters<typeof makePasskey>[0] }) =>
      add.mutateAsync({ name: given.name, passkey: await makePasskey(given.creation) }),
  });
}

/** The provider that people sign in with, available until it is known not to be; null where none is set up. */
export function useIdentityProvider(): IdentityProvider | null {
  const name = pageConfig.identityProvider();
  const { data } = trpc.identities.provider.useQuery(undefined, {
    staleTime: 'static',
    enabled: name !== null,
  });
  return name === null ? null : { name, isAvailable: data?.isAvailable ?? true };
}

/** The services that sign the viewer in. */
export function useIdentities() {
  return trpc.identities.list.useQuery();
}
