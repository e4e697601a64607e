import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { macrosIn } from './macros.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const DIST = path.join(ROOT, 'dist/server');

/** What an operator runs: each is a module of scripts/programs. */
const PROGRAMS = [
  'backup',
  'create-admin',
  'doctor',
  'import-feed',
  'ledger-check',
  'migrate',
  'proofs-check',
  'reconcile',
  'restore',
  'rotate-keys',
  'seed',
  'start',
];

/** What runs in the processes for pictures and texts, which the programs start. */
const PICTURES = ['child', 'guard', 'text-worker', 'worker'];

/**
 * Packages of many small modules, whose parts nobody uses are left out: in few files they start in less time and memory.
 * They are plain ES modules or small, and no package outside has to share a class or a state with them.
 */
const BUNDLED = [
  /^@oslojs\//,
  '@trpc/server',
  'aws4fetch',
  'bowser',
  'cockatiel',
  'ipaddr.js',
  'kysely',
  'lucia',
  'zod',
];

/** Files that modules read from beside them, which are therefore put beside the bundles. */
const BESIDE = [
  'scripts/demo/feed.csv',
  'scripts/demo/pictures.json',
  'src/locales/fr.po',
  'src/sandbox/page.css',
];

/**
 * Bundles programs, with all of our modules that they import, into JavaScript files of one folder, which start in a third
 * of the time that tsx takes. Most packages stay outside. Programs that run from the folder go on: each file is replaced
 * at once.
 * @param programs the paths of their modules, by the names of their bundles
 */
export async function bundlePrograms(
  programs: Readonly<Record<string, string>>,
  folder: string,
): Promise<void> {
  // Tests that start no program import this module, too.
  const { build } = await import('vite');
  const half = `${folder}.${process.pid}`;
  try {
    await build({
      configFile: false,
      root: ROOT,
      logLevel: 'warn',
      publicDir: false,
      plugins: [macrosIn()],
      ssr: { noExternal: BUNDLED },
      build: {
        ssr: true,
        outDir: half,
        target: 'node20',
        minify: false,
        rolldownOptions: {
          input: programs,
          // Replacing the macros takes most of the time, and may.
          checks: { pluginTimings: false },
          output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
        },
      },
    });
    for (const file of BESIDE) await cp(path.join(ROOT, file), path.join(half, path.basename(file)));
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(half)) await rename(path.join(half, name), path.join(folder, name));
  } finally {
    await rm(half, { recursive: true, force: true });
  }
}

const modulesOf = (folder: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, path.join(ROOT, folder, `${name}.ts`)]));

/** Bundles what the processes for pictures and for market days run: the sources start these bundles, too. */
export function buildPictures(): Promise<void> {
  const modules = {
    ...modulesOf('src/server/readers/pictures', PICTURES),
    ...modulesOf('src/server/deals/market-days', ['solver-worker']),
  };
  return bundlePrograms(modules, path.join(DIST, 'pictures'));
}

/** Bundles all that production runs. */
export async function buildServer(): Promise<void> {
  await bundlePrograms(modulesOf('scripts/programs', PROGRAMS), DIST);
  await buildPictures();
}

if (process.argv[1] === import.meta.filename) await buildServer();
