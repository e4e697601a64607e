import ts from 'typescript';
import type { PlantedFault } from './fault.ts';

declare global {
  /** Counts that the place of a fault runs; whoever looks sets it. */
  var placeReached: ((fault: string) => void) | undefined;
}

/** The piece of code around an offset that runs as a whole: a statement of a block, or the expression that a function is. */
function pieceAt(source: ts.SourceFile, offset: number): ts.Statement | ts.Expression {
  let piece: ts.Statement | ts.Expression | undefined;
  const visit = (node: ts.Node): void => {
    if (offset < node.getStart(source) || offset >= node.end) return;
    if (ts.isStatement(node) && !ts.isBlock(node)) piece = node;
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body) && offset >= node.body.getStart(source))
      piece = node.body;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  if (!piece) throw new Error(`${source.fileName} has no code at ${offset}`);
  return piece;
}

/**
 * The source of a file in which the place of each of its faults counts that it runs. Nothing else changes.
 * @param faults those of this file
 */
export function countReached(code: string, faults: readonly PlantedFault[]): string {
  const source = ts.createSourceFile('planted.ts', code, ts.ScriptTarget.Latest, true);
  const inserts = faults.flatMap(({ name, from }): [at: number, text: string][] => {
    const offset = code.indexOf(from);
    const piece = pieceAt(source, offset + (from.length - from.trimStart().length));
    const call = `globalThis.placeReached?.(${JSON.stringify(name)})`;
    const start = piece.getStart(source);
    if (!ts.isStatement(piece)) {
      return [
        [start, `(${call}, `],
        [piece.end, ')'],
      ];
    }
    const isAlone =
      !ts.isBlock(piece.parent) && !ts.isSourceFile(piece.parent) && !ts.isCaseOrDefaultClause(piece.parent);
    return isAlone
      ? [
          [start, `{ ${call}; `],
          [piece.end, ' }'],
        ]
      : [[start, `${call}; `]];
  });
  // From the end, so that the other places stay where they are.
  return inserts
    .toSorted(([one], [other]) => other - one)
    .reduce((text, [at, insert]) => text.slice(0, at) + insert + text.slice(at), code);
}
