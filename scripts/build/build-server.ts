import { randomUUID } from 'node:crypto';
import { readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { withoutMacros } from './macros.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * Packages of many small modules, whose parts nobody uses are left out: as one file they start in less time and memory.
 * They are plain ES modules or small, and no package outside has to share a class or a state with them.
 */
const BUNDLED = ['@trpc/server', 'aws4fetch', 'bowser', 'cockatiel', 'ipaddr.js', 'kysely', 'lucia', 'zod'];

/** Leaves packages outside that are not to be bundled; what a bundled one imports comes along. */
const packagesOutside: Plugin = {
  name: 'packages-outside',
  setup(bundle) {
    bundle.onResolve({ filter: /^[^./#]/ }, ({ path: name, importer, kind }) => {
      if (kind === 'entry-point' || importer.includes(`${path.sep}node_modules${path.sep}`)) return undefined;
      const isBundled = BUNDLED.some((bundled) => name === bundled || name.startsWith(`${bundled}/`));
      return isBundled ? undefined : { external: true };
    });
  },
};

/**
 * Bundles the programs that a module names, each by the URL of its relative path and `import.meta.url`.
 * @param text of the module
 * @param folder of the bundles
 * @returns the text with their bundles in place of the programs
 */
export async function withBundles(text: string, file: string, folder: string): Promise<string> {
  const place = path.dirname(file);
  let changed = text;
  for (const [url, program = ''] of text.matchAll(/\bnew URL\('([^']+\.ts)', import\.meta\.url\)/g)) {
    const bundle = await bundleProgram(path.join(place, program), folder);
    changed = changed.replace(
      url,
      `new URL(${JSON.stringify(path.relative(place, bundle))}, import.meta.url)`,
    );
  }
  return changed;
}

/** Modules keep their own place, from which they find their files. The programs that they start are bundled beside them. */
const ourModules = (folder: string): Plugin => ({
  name: 'our-modules',
  setup(bundle) {
    bundle.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      const source = await readFile(file, 'utf8');
      const text = await withBundles((await withoutMacros(source, file))?.code ?? source, file, folder);
      const to = (target: string) => JSON.stringify(path.relative(folder, target));
      const contents = text
        .replaceAll('import.meta.url', `new URL(${to(file)}, import.meta.url).href`)
        .replaceAll('import.meta.dirname', `(import.meta.dirname + '/' + ${to(path.dirname(file))})`)
        .replaceAll('import.meta.filename', `(import.meta.dirname + '/' + ${to(file)})`);
      return { contents, loader: 'ts' };
    });
  },
});

const bundles = new Map<string, { readonly entry: string; readonly made: Promise<string> }>();

/**
 * Bundles a program and all of our modules that it imports into one JavaScript file, which starts in a third of the
 * time that tsx takes. Most packages stay outside. Each process makes a bundle once; several may write it at once.
 * @param folder of the bundle
 * @returns the bundle
 * @throws Error for another program of the same name
 */
export function bundleProgram(entry: string, folder: string): Promise<string> {
  const outfile = path.join(folder, `${path.basename(entry, '.ts')}.js`);
  const known = bundles.get(outfile) ?? { entry, made: bundleInto(outfile, entry) };
  if (known.entry !== entry) throw new Error(`${entry} and ${known.entry} would have one bundle`);
  bundles.set(outfile, known);
  return known.made;
}

async function bundleInto(outfile: string, entry: string): Promise<string> {
  const half = `${outfile}.${randomUUID()}`;
  try {
    await build({
      absWorkingDir: ROOT,
      entryPoints: [entry],
      outfile: half,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      logLevel: 'warning',
      // For bundled packages that are CommonJS.
      banner: {
        js: "import { createRequire as createBundleRequire } from 'node:module';\nconst require = createBundleRequire(import.meta.url);",
      },
      plugins: [packagesOutside, ourModules(path.dirname(outfile))],
    });
    await rename(half, outfile);
    return outfile;
  } finally {
    await rm(half, { force: true });
  }
}

/** Builds the program that `npm start` runs. */
export function buildServer(): Promise<string> {
  return bundleProgram(path.join(ROOT, 'scripts/programs/start.ts'), path.join(ROOT, 'dist/server'));
}

if (process.argv[1] === import.meta.filename) await buildServer();
