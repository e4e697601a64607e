import { useEffect, useRef } from 'react';
import type { Currency } from '#contract/base/money.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useProposeUsername } from './queries.ts';

/** What the hook needs of a form. */
interface NewcomerForm {
  readonly getValues: () => { readonly email: string; readonly username: string };
  readonly setValues: (place: { country: string; preferredCurrency: Currency }) => void;
  readonly setFieldValue: (name: 'username', value: string) => void;
}

/** Fills in what can be guessed of somebody who registers: country and currency, and a username for an address. */
export function useNewcomer(form: NewcomerForm) {
  const { data: place } = trpc.accounts.registrationPlace.useQuery(undefined, { staleTime: 'static' });
  const propose = useProposeUsername();
  const proposed = useRef('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is known
  useEffect(() => {
    if (place) form.setValues(place);
  }, [place]);

  /** Fills in a username for an address, by default the one in the form, unless the person has chosen one. */
  const proposeUsername = async (email = form.getValues().email) => {
    if (form.getValues().username !== proposed.current || !email.includes('@')) return;
    const proposal = await propose(email);
    if (form.getValues().username !== proposed.current) return;
    proposed.current = proposal;
    form.setFieldValue('username', proposal);
  };
  return { place, proposeUsername };
}
