import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/**
 * docs/spec-coverage.md names for every route, call, text and rule of the specification the tests that prove it, and
 * docs/security.md for the requirements of OWASP ASVS. These tests check that each row has a proof, and that each proof
 * is an existing test.
 */

const ROOT = path.resolve(import.meta.dirname, '..');

interface Row {
  readonly line: number;
  readonly says: string;
  /** 'path › title', each. */
  readonly proofs: readonly string[];
}

/** The rows of all tables: what the specification says, what has changed it, and the proofs in code marks. */
function readRows(markdown: string): Row[] {
  return markdown.split('\n').flatMap((text, index) => {
    if (!text.startsWith('| ')) return [];
    const cells = text.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
    const [, says = '', , proof = ''] = cells;
    if (says === 'it says' || says.startsWith('---')) return [];
    return [{ line: index + 1, says, proofs: [...proof.matchAll(/`([^`]+)`/g)].map(([, one = '']) => one) }];
  });
}

/** The name of the called function: `it` of `it(…)`, `it.each(…)(…)`, `it.skipIf(…)(…)`. */
function rootName(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression)) return rootName(expression.expression);
  if (ts.isCallExpression(expression)) return rootName(expression.expression);
  return '';
}

/** The functions that declare a test; races use `itInRounds`. */
const TEST_FUNCTIONS = ['it', 'test', 'itInRounds'];

/** The titles of the tests in a file as they are written there, `${}` and `%s` included. */
function readTitles(file: string): Set<string> {
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(ROOT, file), 'utf8'),
    ts.ScriptTarget.Latest,
  );
  const titles = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && TEST_FUNCTIONS.includes(rootName(node.expression))) {
      const [title] = node.arguments;
      if (title && ts.isStringLiteralLike(title)) titles.add(title.text);
      else if (title && ts.isTemplateExpression(title)) titles.add(title.getText(source).slice(1, -1));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

const known = new Map<string, Set<string>>();

/** The fault of a proof, or null. */
function faultOf(proof: string): string | null {
  const [file = '', title] = proof.split(' › ');
  if (title === undefined) return 'is not "path › title"';
  if (!existsSync(path.join(ROOT, file))) return 'names no file';
  if (!known.has(file)) known.set(file, readTitles(file));
  return known.get(file)?.has(title) ? null : 'names no test';
}

describe.each([
  ['docs/spec-coverage.md', 400],
  ['docs/security.md', 70],
])('%s', (document, atLeast) => {
  const rows = readRows(readFileSync(path.join(ROOT, document), 'utf8'));

  it('has a proof in every row', () => {
    expect(rows.length).toBeGreaterThan(atLeast);
    expect(
      rows.filter(({ proofs }) => proofs.length === 0).map(({ line, says }) => `${line}: ${says}`),
    ).toEqual([]);
  });

  it('names existing tests', () => {
    const faults = rows.flatMap(({ line, proofs }) =>
      proofs.flatMap((proof) => {
        const fault = faultOf(proof);
        return fault ? [`${document}:${line}: ${proof} ${fault}`] : [];
      }),
    );
    expect(faults).toEqual([]);
  });
});

describe('the check of proofs', () => {
  const own = 'tests/spec-coverage.test.ts';

  it('finds a row without a proof, a missing file, and a title that is nearly right', () => {
    const rows = readRows(
      [
        '| it says | changed | proof |',
        '| --- | --- | --- |',
        '| a \\| b | | none |',
        '| c | | `x › y` `z › w` |',
      ].join('\n'),
    );
    expect(rows).toEqual([
      { line: 3, says: 'a | b', proofs: [] },
      { line: 4, says: 'c', proofs: ['x › y', 'z › w'] },
    ]);
    expect(faultOf('no title')).toBe('is not "path › title"');
    expect(faultOf('tests/nowhere.test.ts › has a proof in every row')).toBe('names no file');
    expect(faultOf(`${own} › has a proof in every rows`)).toBe('names no test');
    expect(faultOf(`${own} › has a proof in every row`)).toBeNull();
  });
});
