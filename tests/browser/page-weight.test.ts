import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { SCRIPT_BUDGET, STYLE_BUDGET, weighHome } from '../../scripts/build/page-weight.ts';

const ROOT = path.resolve(import.meta.dirname, '../../dist/web');

it.each(['', 'fr'])('what Home needs before its first coupon stays within its budget (%s)', (language) => {
  const { scriptBytes, scripts, styleBytes } = weighHome(path.join(ROOT, language));
  expect(scripts.length).toBeGreaterThan(2);
  expect(scriptBytes).toBeLessThanOrEqual(SCRIPT_BUDGET);
  expect(styleBytes).toBeLessThanOrEqual(STYLE_BUDGET);
});

/** The class names of Mantine's components in some of the built files. */
function mantineClasses(files: readonly string[]): ReadonlySet<string> {
  const texts = files.map((file) => readFileSync(path.join(ROOT, 'assets', file), 'utf8'));
  return new Set(texts.join('\n').match(/\bm_[0-9a-f]+\b/g));
}

it('every Mantine component comes with its styles', () => {
  const files = readdirSync(path.join(ROOT, 'assets'));
  const { scripts, styles } = weighHome(ROOT);
  const used = mantineClasses(files.filter((file) => file.endsWith('.js')));
  const styled = mantineClasses(files.filter((file) => file.endsWith('.css')));
  const usedFirst = mantineClasses(scripts.map(({ file }) => file));
  const styledFirst = mantineClasses(styles);
  expect(used.size).toBeGreaterThan(usedFirst.size);
  expect([...used].filter((name) => !styled.has(name))).toEqual([]);
  expect([...usedFirst].filter((name) => !styledFirst.has(name))).toEqual([]);
});
