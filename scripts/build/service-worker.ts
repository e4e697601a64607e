import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type Plugin as EsbuildPlugin } from 'esbuild';
import type { Plugin, Rolldown } from 'vite';
import { type Language, prefixOf } from '../../src/contract/base/i18n.ts';
import { OFFLINE_SHELL } from '../../src/contract/base/offline.ts';
import { withoutMacros } from './macros.ts';

const WEB = path.resolve(import.meta.dirname, '../../src/web');

/** The pages that open without the network, of those that are loaded on demand. */
const PAGES = [
  'home-rows',
  'coupon',
  'deals',
  'exchanges',
  'how-it-works',
  'matches',
  'my-bids',
  'my-coupons',
];

/** Dialogs without a form. */
const DIALOGS = ['app/navigation-drawer', 'coupons/search/filter-drawer'];

/** Whether what a module loads on demand is of use without the network: not other pages, and nothing that sends. */
function isForOffline(file: string): boolean {
  const name = path.relative(WEB, file).replace(/\.tsx?$/, '');
  const [folder] = name.split('/');
  if (folder === 'pages') return PAGES.some((page) => name === `pages/${page}`);
  return !/dialog|picture|camera|confirm/.test(name) || DIALOGS.includes(name);
}

type Bundle = Rolldown.OutputBundle;

/** The scripts of the shell, of some pages and of what they load, and their styles. */
function shellFiles(bundle: Bundle): ReadonlySet<string> {
  const files = new Set<string>();
  const add = (name: string) => {
    const chunk = bundle[name];
    if (files.has(name) || chunk?.type !== 'chunk') return;
    files.add(name);
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
    for (const imported of chunk.imports) add(imported);
    for (const loaded of chunk.dynamicImports) {
      const from = bundle[loaded];
      if (from?.type !== 'chunk') continue;
      // What several pages share has no module of its own.
      if (from.facadeModuleId === null || isForOffline(from.facadeModuleId)) add(loaded);
    }
  };
  for (const [name, chunk] of Object.entries(bundle)) if (chunk.type === 'chunk' && chunk.isEntry) add(name);
  return files;
}

/** Puts the texts into the modules that the worker shares with the pages. */
const textsIn = (language: Language): EsbuildPlugin => ({
  name: 'texts',
  setup(bundle) {
    bundle.onLoad({ filter: /\/src\/(contract|web)\/.*\.ts$/ }, async ({ path: file }) => {
      const result = await withoutMacros(await readFile(file, 'utf8'), file, language);
      return result && { contents: result.code, loader: 'ts' };
    });
  },
});

const hashOf = (content: string | Uint8Array) =>
  createHash('sha256').update(content).digest('hex').slice(0, 16);

/** Adds the service worker of a language to the build, with the list of the files that it keeps. */
export function serviceWorker(language: Language): Plugin {
  const prefix = prefixOf(language);
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const fonts = Object.keys(bundle).filter((name) =>
          /-latin-opsz-.*\.woff2$|categories-.*\.svg$/.test(name),
        );
        const hashed = [...shellFiles(bundle), ...fonts];
        const files = [
          ...hashed.map((name) => ({ url: `${prefix}/${name}`, revision: null })),
          { url: '/favicon.svg', revision: hashOf(readFileSync(path.join(WEB, 'public/favicon.svg'))) },
          // It names the files.
          { url: prefix + OFFLINE_SHELL, revision: hashOf(hashed.join()) },
        ];
        const { outputFiles } = await build({
          entryPoints: [path.join(WEB, 'service-worker.ts')],
          bundle: true,
          minify: true,
          write: false,
          target: 'es2022',
          plugins: [textsIn(language)],
          define: {
            SHELL_FILES: JSON.stringify(files),
            LANGUAGE: JSON.stringify(language),
            'process.env.NODE_ENV': '"production"',
          },
        });
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: outputFiles[0]?.text ?? '' });
      },
    },
  };
}
