import '#server/core/input-texts.ts';
import { readFileSync } from 'node:fs';
import type { z } from 'zod';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface SettingsFile<Schema extends z.ZodType> {
  /** What the file lists, for error messages: 'feeds'. */
  readonly what: string;
  readonly file: string;
  readonly schema: Schema;
  readonly env: Environment;
  /** Fields in which a dollar sign is text. */
  readonly literal: readonly string[];
}

/**
 * Reads an operator's JSON file. `$NAME` is replaced by an environment variable, so that keys stay out of the file.
 * @throws Error that names the mistake and its place, without values
 */
export function readSettingsFile<Schema extends z.ZodType>(given: SettingsFile<Schema>): z.output<Schema> {
  const { what, file, schema, env, literal } = given;
  const missing = new Set<string>();
  const json = fillVariables(readJson(what, file), { env, literal, missing });
  if (missing.size > 0) {
    const names = [...missing].join(', ');
    throw new Error(`The ${what} in ${file} need these variables, which are not set: ${names}`);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`The ${what} in ${file} are not usable:\n${lines.join('\n')}`);
}

const VARIABLE = /\$\{?([A-Z][A-Z0-9_]*)\}?/g;

interface Filling extends Pick<SettingsFile<z.ZodType>, 'env' | 'literal'> {
  readonly missing: Set<string>;
}

function fillVariables(value: unknown, filling: Filling): unknown {
  const { env, literal, missing } = filling;
  if (typeof value === 'string') {
    return value.replace(VARIABLE, (_whole, name: string) => {
      if (!env[name]) missing.add(name);
      return env[name] ?? '';
    });
  }
  if (Array.isArray(value)) return value.map((item) => fillVariables(item, filling));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      literal.includes(key) ? inner : fillVariables(inner, filling),
    ]),
  );
}

function readJson(what: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    // The parser's message quotes the file, keys included.
    const reason = error instanceof SyntaxError ? 'it is not JSON' : 'it cannot be read';
    throw new Error(`The ${what} in ${file} are not usable: ${reason}.`);
  }
}
