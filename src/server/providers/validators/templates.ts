import { withoutEnd } from '#server/core/text.ts';

/** The values for a template's placeholders. */
export interface Filling {
  readonly code: string;
  readonly merchant: string;
  /** Only calls about new codes have these two. */
  readonly newCode?: string;
  readonly key?: string;
}

const PLACEHOLDER = /\{(code|merchant|newCode|key)\}/g;

/** In one pass, so that a code that looks like a placeholder is not replaced again. */
function fill(template: string, filling: Filling, encode: (text: string) => string): string {
  return template.replace(PLACEHOLDER, (whole, name: keyof Filling) => encode(filling[name] ?? whole));
}

/** A path segment that leads to another folder, plain or encoded. */
const DOT_SEGMENT = /^(\.|%2e){1,2}$/i;

/** The address of a path under a base; null if the code cannot be a part of it ('..' would change the path). */
export function addressOf(baseUrl: string, path: string, filling: Filling): URL | null {
  const filled = fill(path, filling, encodeUrl);
  const [steps = ''] = filled.split('?');
  if (steps.split('/').some((step) => DOT_SEGMENT.test(step))) return null;
  return new URL(`${withoutEnd(baseUrl, '/')}${filled}`);
}

function encodeUrl(text: string): string {
  // Lone surrogates cannot be encoded; this replaces them.
  return encodeURIComponent(Buffer.from(text).toString());
}

/** Fills JSON in which each text is a template. A value stays within its text, even if it contains quotes. */
export function fillJson(template: unknown, filling: Filling): string {
  return JSON.stringify(template, (_key, value: unknown) =>
    typeof value === 'string' ? fill(value, filling, (text) => text) : value,
  );
}

/** Fills a form in which each value is a template. */
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

/** What a JSON pointer finds; undefined if nothing. */
export function readPointer(json: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>((value, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
      ? (value as Record<string, unknown>)[key]
      : undefined;
  }, json);
}
