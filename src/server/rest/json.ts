const written = new WeakMap<object, string>();

/** An answer as JSON; of what several share, written once. Nothing changes an answer after this. */
export function toJson(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return JSON.stringify(answer);
  const text = written.get(answer) ?? JSON.stringify(answer);
  written.set(answer, text);
  return text;
}
