/** Whether a text is a JSON pointer (RFC 6901). */
export function isPointer(text: string): boolean {
  return text === '' || /^(\/([^~/]|~[01])*)+$/.test(text);
}

/** What a JSON pointer finds; undefined for nothing. */
export function readPointer(json: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>((value, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
      ? (value as Record<string, unknown>)[key]
      : undefined;
  }, json);
}
