import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useViewer } from './viewer.tsx';
import { keyOf, readTyped, withTyped } from './viewer-storage.ts';

interface Draft {
  /** Whether the form was filled with what was typed before. */
  readonly isOffered: boolean;
  /** Empties the form. */
  readonly startOver: () => void;
}

/** Forgets what the viewer has typed in a form, once it is sent or discarded. */
export function useForgetDraft(): (name: string) => void {
  const { user } = useViewer();
  return (name) => withTyped((storage) => storage.removeItem(keyOf(user?.id, name)));
}

/** Whether the viewer has typed something in a form. */
export function useHasDraft(name: string): boolean {
  const { user } = useViewer();
  return readTyped(keyOf(user?.id, name)) !== null;
}

/**
 * A form whose values are stored as a draft for the session, and offered when it is opened again. Whoever sends it forgets the draft.
 * @param name names the form and what it is about; null stores nothing
 * @param secrets the fields that are never stored
 */
export function useFormDraft<Values extends object>(
  name: string | null,
  input: UseFormInput<Values> & { readonly initialValues: Values },
  secrets: readonly (keyof Values)[] = [],
): [form: UseFormReturnType<Values>, draft: Draft] {
  const { user } = useViewer();
  const form = useForm<Values>(input);
  const key = name === null ? null : keyOf(user?.id, name);
  const [found] = useState(() => (key === null ? null : readTyped<Values>(key)));
  const [isOffered, setIsOffered] = useState(found !== null);
  const { values, reset } = form;

  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    if (found) form.setValues(found);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing changes the draft
  useEffect(() => {
    if (key === null) return;
    const fields = Object.keys(values) as (keyof Values)[];
    const typed = fields.filter(
      (field) => !secrets.includes(field) && values[field] !== input.initialValues[field],
    );
    const draft = JSON.stringify(Object.fromEntries(typed.map((field) => [field, values[field]])));
    withTyped((storage) => (typed.length === 0 ? storage.removeItem(key) : storage.setItem(key, draft)));
  }, [key, values]);

  const startOver = () => {
    setIsOffered(false);
    reset();
  };
  return [form, { isOffered, startOver }];
}
