import { sharp } from './sharp.ts';

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

/** Drawings are read with as many dots an inch: sharp in the largest icon at 32 pixels of width. */
const DENSITY = (72 * 512) / 32;

/** Fits a drawing or a picture into a square; what it leaves of it is transparent. @param size in pixels */
export function inSquare(picture: Uint8Array, size: number): Promise<Buffer> {
  return sharp(picture, { density: DENSITY })
    .resize(size, size, { fit: 'contain', background: '#0000' })
    .png()
    .toBuffer();
}

async function drawIcon(picture: Uint8Array, ground: string, { size, part }: Icon): Promise<Buffer> {
  const width = Math.round(size * part);
  const margin = Math.floor((size - width) / 2);
  const rest = size - width - margin;
  const square = await inSquare(picture, width);
  if (part === 1) return square;
  return sharp(square)
    .extend({ top: margin, left: margin, bottom: rest, right: rest, background: ground })
    .flatten({ background: ground })
    .png()
    .toBuffer();
}

/**
 * Draws the icons of the installed application.
 * @param picture an SVG, or a square picture of at least 512 pixels
 * @param ground the colour around it
 * @returns PNG files by their names
 */
export async function drawIcons(picture: Uint8Array, ground: string): Promise<ReadonlyMap<string, Buffer>> {
  const drawn = ICONS.map(async (icon) => [icon.file, await drawIcon(picture, ground, icon)] as const);
  return new Map(await Promise.all(drawn));
}
