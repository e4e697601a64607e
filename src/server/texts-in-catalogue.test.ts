import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

/** What refuses people something, and which of its arguments is the text. */
const TEXT_OF: Readonly<Record<string, number>> = {
  AppError: 1,
  fieldError: 2,
  notFound: 0,
  forbidden: 0,
  conflict: 0,
  changed: 0,
  staying: 0,
};

/** The words of an expression that no macro makes. */
function plainWords(node: ts.Node | undefined, file: ts.SourceFile): string[] {
  if (!node || ts.isTaggedTemplateExpression(node) || ts.isCallExpression(node)) return [];
  if (ts.isIdentifier(node)) return plainWords(constantNamed(node.text, file), file);
  if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
    return /\p{L}/u.test(node.text) ? [node.text] : [];
  const parts: string[] = [];
  // A condition is no part of the text.
  const of = ts.isConditionalExpression(node) ? [node.whenTrue, node.whenFalse] : node.getChildren(file);
  for (const child of of) parts.push(...plainWords(child, file));
  return parts;
}

/** What a file's constant of this name is. */
function constantNamed(name: string, file: ts.SourceFile): ts.Expression | undefined {
  let found: ts.Expression | undefined;
  const visit = (node: ts.Node) => {
    if (ts.isVariableDeclaration(node) && node.name.getText(file) === name) found ??= node.initializer;
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

it('refusals say only what is in the catalogue', () => {
  const names = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  let refusals = 0;
  const plain = names
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing\/|core\/errors\.ts$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(path.join(import.meta.dirname, name), 'utf8');
      const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
      const words: string[] = [];
      const visit = (node: ts.Node) => {
        if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
          const place = TEXT_OF[node.expression.getText(file)];
          if (place !== undefined) {
            refusals += 1;
            words.push(...plainWords(node.arguments?.[place], file));
          }
        }
        node.forEachChild(visit);
      };
      visit(file);
      return words.map((word) => `${name}: ${word}`);
    });
  expect(refusals).toBeGreaterThan(300);
  expect(plain).toEqual([]);
});
