import path from 'node:path';
import react from '@vitejs/plugin-react';
import mantinePreset from 'postcss-preset-mantine';
import simpleVars from 'postcss-simple-vars';
import { defineConfig, type Plugin } from 'vite';
import { appIcons } from './scripts/build/app-icons.ts';
import { CHUNKS } from './scripts/build/chunks.ts';
import { macrosIn, pseudoLocale } from './scripts/build/macros.ts';
import { mantineStyles, themeStyles } from './scripts/build/mantine-styles.ts';
import { weightTable } from './scripts/build/page-weight.ts';
import { precompress } from './scripts/build/precompress.ts';
import { PSEUDO } from './scripts/build/pseudo.ts';
import { serviceWorker } from './scripts/build/service-worker.ts';
import { LANGUAGES, type Language, prefixOf, toLanguage } from './src/contract/base/i18n.ts';
import { BREAKPOINTS } from './src/web/theme/breakpoints.ts';

const ROOT = import.meta.dirname;

/** `$mantine-breakpoint-sm` and the like, for Mantine's mixins in the style sheets. */
const BREAKPOINT_VARIABLES = Object.fromEntries(
  Object.entries(BREAKPOINTS).map(([name, width]) => [`mantine-breakpoint-${name}`, width]),
);

/** Says in the page which language it speaks. Our scripts read it there, too. */
function htmlLanguage(language: Language): Plugin {
  return {
    name: 'html-language',
    transformIndexHtml: (html) => html.replace('lang="en"', `lang="${LANGUAGES[language]}"`),
  };
}

/** Asks for the font of nearly every page along with the styles that name it, so that text does not jump later. */
function preloadFont(base: string): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((file) => /bricolage-grotesque-latin-opsz-.*\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: base + file, crossorigin: '' },
            injectTo: 'head',
          })),
    },
  };
}

const assetFileNames = ({ names: [name = ''] }: { readonly names: readonly string[] }) =>
  `assets/${name.endsWith('.css') ? '' : '[name]-'}[hash:7][extname]`;

const REACT_ROUTER = path.join(ROOT, 'node_modules/react-router/dist/production');

/**
 * The web application in one language, which is the mode: English without one (`vite build --mode fr`). With `--ssr`, what
 * renders its pages on the server, as one bundle with all packages.
 */
export default defineConfig(({ command, mode, isSsrBuild }) => {
  const language = toLanguage(mode);
  const base = `${prefixOf(language)}/`;
  const isFirst = language === 'en';
  const isPseudo = mode === PSEUDO;
  return {
    root: path.join(ROOT, 'src/web'),
    base,
    // Icons are the same in all languages.
    publicDir: isFirst && 'public',
    plugins: [
      macrosIn(isPseudo ? PSEUDO : language),
      isPseudo && pseudoLocale,
      react(),
      mantineStyles(),
      themeStyles(),
      htmlLanguage(language),
      !isSsrBuild && [
        preloadFont(base),
        isFirst && appIcons(),
        serviceWorker(language),
        !isPseudo && {
          name: 'precompress',
          apply: 'build',
          async writeBundle({ dir = '' }) {
            await precompress(dir);
            process.stdout.write(`${weightTable(dir)}\n`);
          },
        },
      ],
    ],
    resolve: {
      // The package exports its development build alone to bundlers. The other one lacks its warnings.
      alias:
        command === 'build'
          ? [
              { find: /^react-router$/, replacement: path.join(REACT_ROUTER, 'index.mjs') },
              { find: /^react-router\/dom$/, replacement: path.join(REACT_ROUTER, 'dom-export.mjs') },
            ]
          : [],
    },
    css: {
      postcss: {
        plugins: [
          mantinePreset(),
          simpleVars({ variables: BREAKPOINT_VARIABLES }),
          {
            postcssPlugin: 'optional-fonts',
            Declaration: {
              // Text never changes its font once it is drawn: a late font is used from the next page load on.
              'font-display': (declaration) => {
                if (declaration.value !== 'optional') declaration.value = 'optional';
              },
            },
          },
        ],
      },
    },
    ...(isSsrBuild && {
      ssr: { noExternal: true, external: [] },
      define: { 'process.env.NODE_ENV': '"production"' },
    }),
    build: isSsrBuild
      ? {
          ssr: 'entry-server.tsx',
          outDir: path.join(ROOT, 'dist/web-render', language),
          rolldownOptions: {
            output: {
              // Files have the names that the other build gives them.
              assetFileNames,
              // Alone, so that what reads the page's language and settings when it is loaded comes after them.
              codeSplitting: {
                groups: [{ name: 'settings', test: /[\\/]base[\\/](i18n|page-setting)\.ts$/ }],
              },
            },
          },
          emptyOutDir: true,
          target: 'node20',
          copyPublicDir: false,
        }
      : {
          outDir: path.join(ROOT, 'dist', isPseudo ? PSEUDO : 'web', base),
          emptyOutDir: true,
          target: 'es2022',
          // The server reads from it which files a page needs.
          manifest: true,
          // Browsers that lack it load these files a little later.
          modulePreload: { polyfill: false },
          rolldownOptions: {
            treeshake: {
              // We do not use its links for WebSockets and streams; it does not say that they may be left out.
              moduleSideEffects: [{ test: /node_modules[\\/]@trpc[\\/]client[\\/]/, sideEffects: false }],
              propertyReadSideEffects: false,
            },
            // Compressing takes long, and may.
            checks: { pluginTimings: false },
            output: {
              // The shell names every file of every page, so that their length counts.
              chunkFileNames: 'assets/[name]-[hash:7].js',
              assetFileNames,
              codeSplitting: { groups: CHUNKS },
            },
          },
        },
    server: { port: 5173, proxy: { '/api': `http://127.0.0.1:${process.env.PORT ?? 3000}` } },
  };
});
