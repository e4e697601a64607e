import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Bytes of the compressed scripts that a browser loads before the first coupon is on screen, by file. */
export interface PageWeight {
  readonly scripts: readonly { readonly file: string; readonly bytes: number }[];
  readonly scriptBytes: number;
  /** The style sheets of every page. */
  readonly styles: readonly string[];
  readonly styleBytes: number;
  /** Of the preloaded font. */
  readonly fontBytes: number;
}

/** What the scripts of the shell and of Home may weigh together, in bytes. */
export const SCRIPT_BUDGET = 170_000;
/** What the styles of every page may weigh, in bytes. */
export const STYLE_BUDGET = 14_000;
/** What a look at a page may ask the server for, with nothing in the browser's cache, until somebody touches it. */
export const LOOK_BUDGET = { requests: 40, bytes: 400_000 };

const STATIC_IMPORT = /(?:\bfrom|\bimport) ?["']\.\/([\w.~-]+\.js)["']/g;

/** Adds a script and all that it imports at once. What it loads later stands in `import()`. */
function addScript(folder: string, file: string, known: Set<string>): void {
  if (known.has(file)) return;
  known.add(file);
  const code = readFileSync(path.join(folder, file), 'utf8');
  for (const [, imported = ''] of code.matchAll(STATIC_IMPORT)) addScript(folder, imported, known);
}

function compressed(folder: string, file: string): number {
  const name = path.join(folder, file);
  return statSync(existsSync(`${name}.br`) ? `${name}.br` : name).size;
}

const sum = (folder: string, files: readonly string[]) =>
  files.reduce((bytes, file) => bytes + compressed(folder, file), 0);

/** Weighs the shell and Home of a built web application. @param root the folder with its `index.html` */
export function weighHome(root: string): PageWeight {
  const folder = path.join(root, 'assets');
  const shell = readFileSync(path.join(root, 'index.html'), 'utf8');
  const linked = (pattern: RegExp) => [...shell.matchAll(pattern)].map(([, file = '']) => file);
  const entry = linked(/<script type="module"[^>]* src="[^"]*\/assets\/([^"]+)"/g);
  if (entry.length !== 1) throw new Error(`${root} is not a build of the web application`);

  const scripts = new Set<string>();
  for (const file of entry) addScript(folder, file, scripts);
  const styles = linked(/<link rel="stylesheet"[^>]* href="[^"]*\/assets\/([^"]+)"/g);
  return {
    scripts: [...scripts]
      .map((file) => ({ file, bytes: compressed(folder, file) }))
      .sort((one, other) => other.bytes - one.bytes),
    scriptBytes: sum(folder, [...scripts]),
    styles,
    styleBytes: sum(folder, styles),
    fontBytes: sum(folder, linked(/<link rel="preload" as="font"[^>]* href="[^"]*\/assets\/([^"]+)"/g)),
  };
}

/** The scripts of each page that most visits begin with, in bytes: the file of the page, if it is not Home, and the shell. */
function scriptsByPage(root: string): [page: string, bytes: number][] {
  const { scripts, scriptBytes } = weighHome(root);
  const folder = path.join(root, 'assets');
  const shell = new Set(scripts.map(({ file }) => file));
  const pages = ['coupon', 'my-coupons'].map((page): [string, number] => {
    const file = readdirSync(folder).find((name) => new RegExp(`^${page}-[\\w-]{7}\\.js$`).test(name));
    if (!file) throw new Error(`${root} has no file of the page ${page}`);
    const all = new Set(shell);
    addScript(folder, file, all);
    return [page, sum(folder, [...all])];
  });
  return [['home', scriptBytes], ...pages];
}

const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`.padStart(9);

/** What a built web application weighs, as a small table. @param root the folder with its `index.html` */
export function weightTable(root: string): string {
  const { styleBytes, fontBytes } = weighHome(root);
  const rows: [string, number][] = [
    ...scriptsByPage(root).map(([page, bytes]): [string, number] => [`Scripts of ${page}`, bytes]),
    ['Budget of home', SCRIPT_BUDGET],
    ['Styles of every page', styleBytes],
    ['Preloaded font', fontBytes],
    ['Budget of an untouched look', LOOK_BUDGET.bytes],
  ];
  return rows.map(([label, bytes]) => `${label.padEnd(32)}${kilobytes(bytes)}`).join('\n');
}
