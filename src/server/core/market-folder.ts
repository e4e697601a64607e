import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** The name of an installed application under its icon: systems cut longer ones. */
const SHORT_NAME_MAX = 12;

/** One line of a person's words. */
const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}<>{}]*$/u, 'must be one line without < > { }');

/** What `market.json` may say; what it leaves out stays as it is. */
const marketSchema = z.strictObject({
  name: line(30).default('ClipSwap'),
  shortName: line(SHORT_NAME_MAX).optional(),
});

/** How a market differs from others. */
export interface Market {
  readonly name: string;
  /** Of the installed application. */
  readonly shortName: string;
}

/**
 * Reads the folder that makes a market somebody's own; called once, at start.
 * @param folder with `market.json`; null: everything is as by default
 * @throws Error that names the file and what is wrong with it
 */
export function readMarket(folder: string | null): Market {
  const { name, shortName } = folder === null ? marketSchema.parse({}) : readFile(folder);
  return { name, shortName: shortName ?? shortened(name) };
}

/** As many whole words as fit, at least the beginning of the first one. */
function shortened(name: string): string {
  const [words] = new RegExp(`^.{1,${SHORT_NAME_MAX}}(?=\\s|$)`, 'u').exec(name) ?? [];
  return words ?? name.slice(0, SHORT_NAME_MAX);
}

function readFile(folder: string): z.output<typeof marketSchema> {
  const file = path.resolve(folder, 'market.json');
  const refuse = (what: string, cause?: unknown) => new Error(`MARKET_DIR: ${file} ${what}`, { cause });
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw refuse(error instanceof SyntaxError ? 'is no JSON' : 'cannot be read', error);
  }
  const { data, error } = marketSchema.safeParse(given);
  if (data) return data;
  const lines = error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw refuse(`is not usable:\n${lines.join('\n')}`);
}
