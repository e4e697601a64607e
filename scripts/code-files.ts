import path from 'node:path';
import type { Plugin } from 'vite';

const MODULE = path.resolve(import.meta.dirname, '../src/web/lib/code-files.ts');

/** In the build, loads the files of each `import()` by `web/lib/code-files.ts` instead of Vite's helper. */
export function codeFiles(): Plugin {
  return {
    name: 'code-files',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /^\0vite\/preload-helper/ },
      handler: () => `export { withFiles as __vitePreload } from ${JSON.stringify(MODULE)};`,
    },
  };
}
