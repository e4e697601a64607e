import { schemaResolver, type UseFormReturnType } from '@mantine/form';
import { type FormEvent, type ReactNode, use } from 'react';
import type { z } from 'zod';
import { fieldErrors, isConflict } from './errors.ts';
import { useForgetDraft, useFormDraft } from './form-draft.ts';
import { DialogPlace } from './open-dialog.ts';
import { toasts } from './toasts.ts';

type ToastTexts = readonly [title: string, text?: ReactNode];

export interface SendFormOptions<Values, Input, Result> {
  /** Checks what was typed; its output is what the call takes. */
  readonly schema: z.ZodType<Input>;
  readonly initial: Values;
  /** The call, from `trpc.….useMutation()`. */
  readonly mutation: { readonly mutateAsync: (input: Input) => Promise<Result>; readonly isPending: boolean };
  /** The toast after success, where there is one. */
  readonly done?: (result: Result, input: Input) => ToastTexts | null;
  /** What follows a success; the form's dialog is closed by then. */
  readonly onDone?: (result: Result, input: Input, form: UseFormReturnType<Values>) => void;
  /**
   * The title of the toast after a failure, and a text for failures of which the server says nothing; or a function that
   * words the failure.
   */
  readonly failed: readonly [title: string, fallback?: string] | ((error: unknown) => ToastTexts);
  /** Deals with a failure itself, and returns true; others are shown as usual. */
  readonly onFailed?: (error: unknown, form: UseFormReturnType<Values>) => boolean;
  /** The failures after which the dialog is outdated and closes; without it, every conflict. */
  readonly closesOn?: (error: unknown) => boolean;
  /** Whether the dialog stays after success, for a next step. */
  readonly staysOpen?: boolean;
  /** Stores what is typed as a draft of this name, until it is sent; see `useFormDraft`. */
  readonly draftName?: string | null;
  /** Fields that are never stored. */
  readonly secrets?: readonly (keyof Values)[];
}

type KeyOf<Type> = Type extends unknown ? keyof Type : never;

/** A call that takes every field of the schema's output: it would refuse others. */
type TakesAll<Input, Taken, Result> = {
  readonly mutation: { readonly mutateAsync: (input: Taken) => Promise<Result> };
} & ([Exclude<KeyOf<Input>, KeyOf<Taken>>] extends [never]
  ? unknown
  : { readonly refusedFields: Exclude<KeyOf<Input>, KeyOf<Taken>> });

interface SendForm<Values, Input> {
  readonly form: UseFormReturnType<Values>;
  /** For the `onSubmit` of the form element: focuses the first wrong field, or sends. */
  readonly submit: (event?: FormEvent<HTMLFormElement>) => void;
  /** Sends without a check, for what did not come from the fields. It never rejects. */
  readonly send: (input: Input) => Promise<void>;
  readonly isPending: boolean;
  /** For `DraftNotice`. */
  readonly draft: ReturnType<typeof useFormDraft>[1];
}

/**
 * A form that sends its values by a call: errors stand at their fields, the first of which is focused, and a toast tells
 * how it ended. The dialog around it closes after success, and after a conflict: the page then shows the current state,
 * and the dialog is outdated.
 */
export function useSendForm<Values extends object, Input, Result, Taken = Input>(
  options: SendFormOptions<Values, Input, Result> & TakesAll<Input, Taken, Result>,
): SendForm<Values, Input> {
  const { schema, initial, mutation, failed, closesOn = isConflict, draftName = null } = options;
  const { close } = use(DialogPlace);
  const forget = useForgetDraft();
  const [form, draft] = useFormDraft<Values>(
    draftName,
    { initialValues: initial, validate: schemaResolver(schema, { sync: true }) },
    options.secrets,
  );
  const focusFirst = (errors: object) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus();

  const fail = (error: unknown) => {
    if (options.onFailed?.(error, form)) return;
    const errors = fieldErrors(error);
    form.setErrors(errors);
    focusFirst(errors);
    if (typeof failed === 'function') toasts.failure(...failed(error));
    else toasts.failed(error, ...failed);
    if (closesOn(error)) close();
  };
  const send = async (input: Input) => {
    let result: Result;
    try {
      result = await mutation.mutateAsync(input);
    } catch (error) {
      fail(error);
      return;
    }
    if (draftName !== null) forget(draftName);
    if (!options.staysOpen) close();
    const texts = options.done?.(result, input);
    if (texts) toasts.success(...texts);
    options.onDone?.(result, input, form);
  };
  const submit = form.onSubmit((values) => send(schema.parse(values)), focusFirst);
  return { form, submit, send, isPending: mutation.isPending, draft };
}
