import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { MODULES } from './mutation/modules.ts';

/** The patterns that a pattern with alternatives in braces stands for. */
function alternatives(pattern: string): string[] {
  const [braces, inside] = /\{([^{}]*)\}/.exec(pattern) ?? [];
  if (braces === undefined || inside === undefined) return [pattern];
  return inside.split(',').flatMap((one) => alternatives(pattern.replace(braces, one)));
}

function isAFile(pattern: string): boolean {
  const [start, end] = path.basename(pattern).split('*');
  return readdirSync(path.dirname(pattern)).some((name) =>
    end === undefined ? name === start : name.startsWith(start ?? '') && name.endsWith(end),
  );
}

it('every file that is changed and every test that has to notice is there', () => {
  const patterns = Object.values(MODULES).flatMap(({ mutate, tests }) => [...mutate, ...tests]);
  const missing = patterns.flatMap(alternatives).filter((pattern) => !isAFile(pattern));
  expect(missing).toEqual([]);
});
