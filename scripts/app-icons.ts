import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import type { Plugin } from 'vite';
import { PAGE_GROUND } from '../src/web/theme/theme.ts';

const DRAWING = path.resolve(import.meta.dirname, '../src/web/public/favicon.svg');

/** @param part of the width that the drawing takes; the rest is the page's ground, or nothing if it takes all */
interface Icon {
  readonly file: string;
  readonly size: number;
  readonly part: number;
}

/** What the manifest and the shell name. Systems cut a maskable icon to a circle of 80% of its width, iOS to a square. */
const ICONS: readonly Icon[] = [
  { file: 'icon-192.png', size: 192, part: 1 },
  { file: 'icon-512.png', size: 512, part: 1 },
  { file: 'icon-maskable-512.png', size: 512, part: 0.6 },
  { file: 'icon-apple-180.png', size: 180, part: 0.75 },
];

/** Draws the icon of the installed application. @param svg the drawing, 32 pixels wide */
function drawIcon(svg: Buffer, { size, part }: Icon): Promise<Buffer> {
  const width = Math.round(size * part);
  const margin = Math.floor((size - width) / 2);
  const rest = size - width - margin;
  return sharp(svg, { density: (72 * width) / 32 })
    .resize(width, width)
    .extend({
      top: margin,
      left: margin,
      bottom: rest,
      right: rest,
      background: part === 1 ? '#0000' : PAGE_GROUND.light,
    })
    .flatten(part === 1 ? false : { background: PAGE_GROUND.light })
    .png()
    .toBuffer();
}

/** Adds the icons of the installed application to the build, all from the drawing of the site's icon. */
export function appIcons(): Plugin {
  return {
    name: 'app-icons',
    apply: 'build',
    async generateBundle() {
      const svg = await readFile(DRAWING);
      for (const icon of ICONS)
        this.emitFile({ type: 'asset', fileName: icon.file, source: await drawIcon(svg, icon) });
    },
  };
}
