import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { RECORDING } from '#server/rest/caller.ts';

/*
 * A GET that records something is a write: another site must not make a browser send it (`recordsView`). This follows the
 * functions of the server from each query to what records a view.
 */

const SERVER = path.resolve(import.meta.dirname, '../src/server');

/** What stores a view of a code, or that a moderator has looked at something. */
const RECORDS = /\b(?:insertReveals?|noteViews|audit)\(/;

interface Part {
  readonly text: string;
  /** Where the names come from that it may call. */
  readonly file: File;
}
interface File {
  readonly parts: Map<string, Part>;
  /** The file and the name there of each imported name, or one that a door passes on; `*` for a whole file. */
  readonly imports: Map<string, readonly [string, string]>;
}

function read(name: string): File {
  const text = readFileSync(path.join(SERVER, name), 'utf8');
  const file: File = { parts: new Map(), imports: new Map() };
  for (const part of text.split(/\n(?=(?:export )?(?:async )?(?:function\*?|const) )/)) {
    const [, own] = /^(?:export )?(?:async )?(?:function\*?|const) (\w+)/.exec(part) ?? [];
    if (own) file.parts.set(own, { text: part.slice(part.indexOf(own) + own.length), file });
  }
  for (const [, names = '', from = '', rest = ''] of text.matchAll(
    /(?:import|export) (?!type)(\{[^;]+?\}|\* as \w+) from '(\.|#server\/)([^']+)'/g,
  )) {
    const target = from === '.' ? path.join(path.dirname(name), `.${rest}`) : rest;
    const whole = /\* as (\w+)/.exec(names)?.[1];
    if (whole) file.imports.set(whole, [target, '*']);
    for (const [, there = '', here] of names.matchAll(/(\w+)(?: as (\w+))?(?=[,\s}])/g))
      if (!whole) file.imports.set(here ?? there, [target, there]);
  }
  return file;
}

const files = new Map(
  readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => [file, read(file)]),
);

/** What a file exports under a name, also where a door passes it on. */
function partOf(name: string, exported: string): Part | undefined {
  const file = files.get(name);
  const [from, there] = file?.imports.get(exported) ?? [];
  return file?.parts.get(exported) ?? (from && there ? partOf(from, there) : undefined);
}

/** Whether something is recorded by a text, or by what it calls. */
function doesRecord(text: string, file: File, seen: Set<string>): boolean {
  if (RECORDS.test(text)) return true;
  for (const [, whole, name = ''] of text.matchAll(/\b(?:(\w+)\.)?(\w+)\(/g)) {
    const own = whole === undefined ? file.parts.get(name) : undefined;
    const [from = '', there = ''] = file.imports.get(whole ?? name) ?? [];
    const called = own ?? partOf(from, there === '*' ? name : there);
    if (!called || seen.has(called.text)) continue;
    seen.add(called.text);
    if (doesRecord(called.text, called.file, seen)) return true;
  }
  return false;
}

/** Under which name router.ts mounts each router. */
const mounted = new Map(
  [...readFileSync(path.join(SERVER, 'router.ts'), 'utf8').matchAll(/^ {2}(\w+): (.*Router.*),$/gm)].flatMap(
    ([, name = '', routers = '']) => [...routers.matchAll(/\w+Router\b/g)].map(([router]) => [router, name]),
  ),
);

/** The queries of a router, with what they do. */
function queriesIn(file: File): string[] {
  return [...file.parts].flatMap(([router, { text }]) =>
    text
      .split(/\n(?= +\w+: \w+Procedure)/)
      .slice(1)
      .filter((part) => part.includes('.query('))
      .filter((part) => doesRecord(part.slice(part.indexOf('.query(')), file, new Set()))
      .map((part) => `${mounted.get(router)}.${/\w+/.exec(part)?.[0]}`),
  );
}

it('a query that records a view is marked, so that pages of other sites cannot make a browser send it', () => {
  const found = [...files].flatMap(([name, file]) => (/router\.ts$/.test(name) ? queriesIn(file) : []));
  // Apple's wallet proves by a token that it has the pass.
  expect(found.sort()).toEqual([...RECORDING, 'walletPasses.latest'].sort());
});
