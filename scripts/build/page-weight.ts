import { existsSync, readFileSync, statSync } from 'node:fs';
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
export const SCRIPT_BUDGET = 157_000;
/** What the styles of every page may weigh, in bytes. */
export const STYLE_BUDGET = 14_000;

const STATIC_IMPORT = /(?:\bfrom|\bimport) ?["']\.\/([\w.~-]+\.js)["']/g;

/** Adds a script and all that it imports at once. What it loads later stands in `import()`. */
function addScript(folder: string, file: string, known: Set<string>): void {
  if (known.has(file)) return;
  known.add(file);
  const code = readFileSync(path.join(folder, file), 'utf8');
  for (const [, imported = ''] of code.matchAll(STATIC_IMPORT)) addScript(folder, imported, known);
}

/** Weighs the shell and Home of a built web application. @param root the folder with its `index.html` */
export function weighHome(root: string): PageWeight {
  const folder = path.join(root, 'assets');
  const shell = readFileSync(path.join(root, 'index.html'), 'utf8');
  const linked = (pattern: RegExp) => [...shell.matchAll(pattern)].map(([, file = '']) => file);
  const entry = linked(/<script type="module"[^>]* src="[^"]*\/assets\/([^"]+)"/g);
  if (entry.length !== 1) throw new Error(`${root} is not a build of the web application`);

  const scripts = new Set<string>();
  for (const file of entry) addScript(folder, file, scripts);
  const compressed = (file: string) => {
    const name = path.join(folder, file);
    return statSync(existsSync(`${name}.br`) ? `${name}.br` : name).size;
  };
  const styles = linked(/<link rel="stylesheet"[^>]* href="[^"]*\/assets\/([^"]+)"/g);
  const sum = (files: readonly string[]) => files.reduce((bytes, file) => bytes + compressed(file), 0);
  return {
    scripts: [...scripts]
      .map((file) => ({ file, bytes: compressed(file) }))
      .sort((one, other) => other.bytes - one.bytes),
    scriptBytes: sum([...scripts]),
    styles,
    styleBytes: sum(styles),
    fontBytes: sum(linked(/<link rel="preload" as="font"[^>]* href="[^"]*\/assets\/([^"]+)"/g)),
  };
}

const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`.padStart(9);

/** The weight as a small table. */
export function weightTable({ scripts, scriptBytes, styleBytes, fontBytes }: PageWeight): string {
  const largest = scripts.slice(0, 3);
  const rest = scriptBytes - largest.reduce((bytes, script) => bytes + script.bytes, 0);
  const rows: [string, number][] = [
    ...largest.map(({ file, bytes }): [string, number] => [
      `  ${file.replace(/-[\w-]{6,8}\.js$/, '.js')}`,
      bytes,
    ]),
    [`  ${scripts.length - largest.length} more`, rest],
    ['Scripts of the shell and Home', scriptBytes],
    ['Budget', SCRIPT_BUDGET],
    ['Styles', styleBytes],
    ['Preloaded font', fontBytes],
  ];
  return rows.map(([label, bytes]) => `${label.padEnd(32)}${kilobytes(bytes)}`).join('\n');
}
