import type { ErrorCode } from '#contract/errors.ts';

/** What a refused call needs first, by the code of the refusal. */
export const PROMPTED = ['second_factor_required', 'address_unconfirmed'] as const satisfies ErrorCode[];
export type Prompted = (typeof PROMPTED)[number];

/** Asks the user for it; resolves to whether the call can be made again. */
type Prompt = (code: Prompted) => Promise<boolean>;

let prompt: Prompt | null = null;
let asked: { readonly code: Prompted; readonly answer: Promise<boolean> } | null = null;

/** Sets what asks the user. @returns a function that takes it back */
export function setPrompt(given: Prompt): () => void {
  prompt = given;
  return () => {
    prompt = null;
  };
}

/** Asks once for all calls that wait for it. Resolves to false while something else is asked. */
export async function askFor(code: Prompted): Promise<boolean> {
  if (asked) return asked.code === code && asked.answer;
  if (!prompt) return false;
  asked = { code, answer: prompt(code) };
  try {
    return await asked.answer;
  } finally {
    asked = null;
  }
}
