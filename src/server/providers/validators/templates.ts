/** What stands in a template's place. */
export interface Filling {
  readonly code: string;
  readonly merchant: string;
}

const PLACEHOLDER = /\{(code|merchant)\}/g;

/** In one pass: a code that looks like a placeholder is not filled again. */
function fill(template: string, filling: Filling, encode: (text: string) => string): string {
  return template.replace(PLACEHOLDER, (_whole, name: keyof Filling) => encode(filling[name]));
}

/** A step of a path that leads elsewhere, however it is written. */
const DOTS = /^(\.|%2e){1,2}$/i;

/** The address of a path under a base; null where the code cannot stand in it ('..' would be another path). */
export function addressOf(baseUrl: string, path: string, filling: Filling): URL | null {
  const filled = fill(path, filling, encodeUrl);
  const [steps = ''] = filled.split('?');
  if (steps.split('/').some((step) => DOTS.test(step))) return null;
  return new URL(`${baseUrl.replace(/\/+$/, '')}${filled}`);
}

function encodeUrl(text: string): string {
  // Lone surrogates have no encoding.
  return encodeURIComponent(Buffer.from(text).toString());
}

/** JSON in which each text is a template: what fills it stays within its text, quotes and all. */
export function fillJson(template: unknown, filling: Filling): string {
  return JSON.stringify(template, (_key, value: unknown) =>
    typeof value === 'string' ? fill(value, filling, (text) => text) : value,
  );
}

/** A form of which each value is a template. */
export function fillForm(template: Readonly<Record<string, unknown>>, filling: Filling): string {
  const fields = Object.entries(template).map(([name, value]) => [
    name,
    fill(String(value), filling, (text) => text),
  ]);
  return new URLSearchParams(Object.fromEntries(fields)).toString();
}

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
