import type { ErrorCode } from '#contract/base/errors.ts';
import { openDialog } from './open-dialog.ts';

/** The dialogs that ask for what a refused call needs first, by the code of the refusal. */
const DIALOGS = {
  second_factor_required: 'confirmSecondFactor',
  address_unconfirmed: 'confirmAddress',
} as const satisfies Partial<Record<ErrorCode, string>>;

type Prompted = keyof typeof DIALOGS;
export const PROMPTED = Object.keys(DIALOGS) as Prompted[];

let asked: { readonly code: Prompted; readonly answer: Promise<boolean> } | null = null;

/**
 * Asks the user once for all calls that wait for it.
 * @returns whether the call can be made again; false while something else is asked
 */
export async function askFor(code: Prompted): Promise<boolean> {
  if (asked) return asked.code === code && asked.answer;
  asked = { code, answer: ask(code) };
  try {
    return await asked.answer;
  } finally {
    asked = null;
  }
}

async function ask(code: Prompted): Promise<boolean> {
  let isGiven = false;
  const onGiven = () => {
    isGiven = true;
  };
  await openDialog(DIALOGS[code], { onGiven });
  return isGiven;
}
