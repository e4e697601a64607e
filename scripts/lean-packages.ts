import path from 'node:path';
import type { Plugin } from 'vite';

const REACT_ROUTER = path.resolve(import.meta.dirname, '../node_modules/react-router/dist/production');

/** Names for developer tools. They keep components in the build that nobody uses. */
const DISPLAY_NAME = /^\w+\.displayName = "[^"]*";$/gm;

/** In the build, leaves out what packages bring along without need. */
export function leanPackages(): Plugin {
  return {
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
      handler: (code) => ({ code: code.replace(DISPLAY_NAME, ''), map: null }),
    },
  };
}
