import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';
import { PAGE_GROUND } from '../../src/contract/base/grounds.ts';
import { drawIcons } from '../../src/server/readers/pictures/app-icons.ts';

const DRAWING = path.resolve(import.meta.dirname, '../../src/web/public/favicon.svg');

/** Adds the icons of the installed application to the build, all from the drawing of the site's icon. */
export function appIcons(): Plugin {
  return {
    name: 'app-icons',
    apply: 'build',
    async generateBundle() {
      for (const [fileName, source] of await drawIcons(await readFile(DRAWING), PAGE_GROUND.light))
        this.emitFile({ type: 'asset', fileName, source });
    },
  };
}
