import type { ErrorCode } from '#contract/errors.ts';

/** What a refused call needs first, by the code of the refusal. */
export const PROMPTED = ['second_factor_required', 'address_unconfirmed'] as const satisfies ErrorCode[];
export type Prompted = (typeof PROMPTED)[number];

/** Asks the user for it; resolves to whether the call can be made again. */
type Prompt = () => Promise<boolean>;

const prompts = new Map<Prompted, Prompt>();
const asked = new Map<Prompted, Promise<boolean>>();

/** Sets what asks the user. @returns a function that takes it back */
export function setPrompt(code: Prompted, given: Prompt): () => void {
  prompts.set(code, given);
  return () => {
    prompts.delete(code);
  };
}

/** Asks once for all calls that wait for it. */
export function askFor(code: Prompted): Promise<boolean> {
  const before = asked.get(code);
  if (before) return before;
  const answer = (prompts.get(code)?.() ?? Promise.resolve(false)).finally(() => asked.delete(code));
  asked.set(code, answer);
  return answer;
}
