import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Language, prefixOf } from '#contract/base/i18n.ts';
import { PAGES, type WebPage } from '#contract/base/pages.ts';

/** A file of the build in Vite's manifest. */
interface ManifestFile {
  readonly file: string;
  readonly name?: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}
type Manifest = Readonly<Record<string, ManifestFile>>;

/** The name of a page's file: 'howItWorks' is built from pages/how-it-works.tsx into how-it-works. */
const fileNameOf = (page: string) => page.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A file after all that it imports at once, by their keys in the manifest: its styles come last. */
function withImports(manifest: Manifest, key: string, visited = new Set<string>()): string[] {
  if (visited.has(key) || !manifest[key]) return [];
  visited.add(key);
  return [...(manifest[key].imports ?? []).flatMap((one) => withImports(manifest, one, visited)), key];
}

/**
 * Reads which files each page needs beside those of every page.
 * @param webRoot the folder of the built web application
 * @returns the links for the head of a page; its styles hold up the first paint, its scripts come with those of the shell
 */
export function readPageFiles(webRoot: string, language: Language): (page: WebPage) => string {
  const base = `${prefixOf(language)}/`;
  const file = path.join(webRoot, base, '.vite/manifest.json');
  const manifest: Manifest = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const shell = new Set(withImports(manifest, 'index.html'));
  const links = new Map<WebPage, string>();
  for (const [name, page] of Object.entries(PAGES)) {
    const own = Object.keys(manifest).find((key) => manifest[key]?.name === fileNameOf(name)) ?? '';
    const files = withImports(manifest, own).flatMap((key) => (shell.has(key) ? [] : (manifest[key] ?? [])));
    const styles = new Set(files.flatMap(({ css = [] }) => css));
    links.set(
      page,
      [
        ...[...styles].map((style) => `<link rel="stylesheet" crossorigin href="${base}${style}">`),
        ...files.map((script) => `<link rel="modulepreload" crossorigin href="${base}${script.file}">`),
      ].join('\n    '),
    );
  }
  return (page) => links.get(page) ?? '';
}
