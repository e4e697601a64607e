/** Asks the user for the second factor; resolves to whether it was given. */
type Prompt = () => Promise<boolean>;

let prompt: Prompt | null = null;
let asked: Promise<boolean> | null = null;

/** Sets what asks the user. @returns a function that takes it back */
export function setSecondFactorPrompt(given: Prompt): () => void {
  prompt = given;
  return () => {
    prompt = null;
  };
}

/** Asks once for all calls that wait for it. */
export function askForSecondFactor(): Promise<boolean> {
  asked ??= (prompt?.() ?? Promise.resolve(false)).finally(() => {
    asked = null;
  });
  return asked;
}
