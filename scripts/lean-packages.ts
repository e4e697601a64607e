import path from 'node:path';
import type { Plugin } from 'vite';

const REACT_ROUTER = path.resolve(import.meta.dirname, '../node_modules/react-router/dist/production');

/** What is cut out of the code of a package. */
interface Cut {
  readonly find: RegExp;
  readonly replacement: string;
}

/** Statics and unmarked calls that keep components in the build which nobody uses. */
const CUTS: readonly Cut[] = [
  // Names for developer tools, and what only the same statics of other components read.
  { find: /^[\w$]+\.(?:displayName|classes|varsResolver) = [^;]*;$/gm, replacement: '' },
  { find: /^(?:ActionIcon|Button|Chip)\.Group\w* = \w+;$/gm, replacement: '' },
  { find: /(?<== )(?=(?:React\d*\.forwardRef|genericFactory)\()/g, replacement: '/* @__PURE__ */ ' },
];

/** What React Router's links and pages do in its framework mode alone. */
const FRAMEWORK_CUTS: readonly Cut[] = [
  { find: /(?<=prefetchHandlers\] = )usePrefetchBehavior\([^)]*\)/, replacement: '[false, null, {}]' },
  { find: /React\d*\.createElement\(PrefetchPageLinks, \{ page: href \}\)/, replacement: 'null' },
  { find: /React\d*\.createElement\(RSCErrorHandler, \{ error \}, result\)/, replacement: 'result' },
];

/** The file with React Router's links. */
const LINKS = /^var Link = /m;

/** Ours. The parts are cut out of the build: a page with one would break there alone. */
const WITH_CUT_PART = /<(?:ActionIcon|Button|Chip)\.Group/;

function cut(code: string, cuts: readonly Cut[]): string {
  return cuts.reduce((left, { find, replacement }) => left.replace(find, replacement), code);
}

const noCutPart: Plugin = {
  name: 'no-cut-part',
  transform: {
    filter: { id: /[\\/]src[\\/]web[\\/]/, code: WITH_CUT_PART },
    handler(_code, id) {
      this.error(`${id} uses a part that scripts/lean-packages.ts leaves out of the build`);
    },
  },
};

const lean: Plugin = {
  name: 'lean-packages',
  apply: 'build',
  config: () => ({
    resolve: {
      alias: [
        // The package exports the development build alone to bundlers; the other lacks its warnings.
        { find: /^react-router$/, replacement: path.join(REACT_ROUTER, 'index.mjs') },
        { find: /^react-router\/dom$/, replacement: path.join(REACT_ROUTER, 'dom-export.mjs') },
      ],
    },
    build: {
      // Browsers that lack it load these files a little later.
      modulePreload: { polyfill: false },
      rolldownOptions: {
        treeshake: {
          // Its links for WebSockets and streams, which we do not use; it does not say that it may be left out.
          moduleSideEffects: [{ test: /node_modules[\\/]@trpc[\\/]client[\\/]/, sideEffects: false }],
          propertyReadSideEffects: false,
        },
      },
    },
  }),
  transform: {
    filter: { id: /node_modules[\\/](?:@mantine|react-router)[\\/]/ },
    handler(code, id) {
      const lean = cut(code, CUTS);
      if (!LINKS.test(code)) return { code: lean, map: null };
      const isKnown = FRAMEWORK_CUTS.every(({ find }) => find.test(lean));
      if (!isKnown) this.error(`${id} has changed: scripts/lean-packages.ts does not know it`);
      return { code: cut(lean, FRAMEWORK_CUTS), map: null };
    },
  },
};

/** In the build, leaves out what packages bring along without need. */
export function leanPackages(): Plugin[] {
  return [lean, noCutPart];
}
