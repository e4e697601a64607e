import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';

/** How the main pages look, compared with kept pictures. */

export const KEPT = path.resolve(import.meta.dirname, '../fixtures/looks');
/** Where a failure shows what was expected, what was seen, and where they differ. */
const SEEN = path.resolve(import.meta.dirname, '../../dist/looks');

/** How far apart two colours may be; from black to white it is 1. */
const COLOUR_DISTANCE = 0.02;
/**
 * A square of the page, and how many of its points may differ: a letter may stand a fraction of a point aside, and the
 * border of a box must not be missing.
 */
const SQUARE = 96;
const POINTS = 60;

/** Pixels, four bytes each. */
export interface Picture {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Reads a picture of any format that sharp knows. */
export async function readPicture(file: Buffer): Promise<Picture> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/**
 * Compares two pictures.
 * @returns null if a person would call them the same, else a picture of the differences, as PNG
 */
export async function differenceOf(kept: Picture, seen: Picture): Promise<Buffer | null> {
  const { width, height } = kept;
  if (width !== seen.width || height !== seen.height)
    return sharp(seen.data, { raw: rawOf(seen) })
      .png()
      .toBuffer();
  const difference = new Uint8Array(kept.data.length);
  const most = pixelmatch(kept.data, seen.data, difference, width, height, {
    threshold: COLOUR_DISTANCE,
    windowSize: SQUARE,
  });
  return most > POINTS
    ? sharp(difference, { raw: rawOf(kept) })
        .png()
        .toBuffer()
    : null;
}

const rawOf = ({ width, height }: Picture) => ({ width, height, channels: 4 }) as const;

/** Whether the run renews what is kept: `npm run looks -- --update`. */
export function isRenewing(): boolean {
  return expect.getState().snapshotState.snapshotUpdateState === 'all';
}

/** Fails if what is on screen looks otherwise than its kept picture. Other systems than Linux draw letters in other ways. */
export async function expectLook(page: Page, name: string): Promise<void> {
  if (process.platform !== 'linux') return;
  await page.evaluate(makeSteady);
  const png = await page.screenshot({ animations: 'disabled' });
  const file = path.join(KEPT, `${name}.webp`);
  const kept = await readFile(file).catch(() => null);
  const difference = kept && (await differenceOf(await readPicture(kept), await readPicture(png)));
  if (kept && !difference) return;
  if (isRenewing()) {
    await mkdir(KEPT, { recursive: true });
    return void (await sharp(png).webp({ nearLossless: true, quality: 60, effort: 6 }).toFile(file));
  }
  await mkdir(SEEN, { recursive: true });
  await writeFile(path.join(SEEN, `${name}.seen.png`), png);
  if (!kept || !difference)
    throw new Error(`${name} has no kept picture: npm run looks -- --update keeps it`);
  await sharp(kept)
    .png()
    .toFile(path.join(SEEN, `${name}.kept.png`));
  await writeFile(path.join(SEEN, `${name}.difference.png`), difference);
  throw new Error(
    `${name} looks different: see ${SEEN}/${name}.*.png. If it should, npm run looks -- --update keeps it.`,
  );
}

/** Runs in the page: what depends on the machine, on its haste or on what it has cached looks the same everywhere. */
async function makeSteady(): Promise<void> {
  window.scrollTo(0, 0);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    /* Every machine has another fixed-width font. */
    [class*="_code_"] { font-family: inherit !important }
    /* Of the sizes of a picture, a browser may take one that it has already. */
    img { object-position: -10000px; background: gray }`);
  document.adoptedStyleSheets = [sheet];
  // A font that comes late is used from the next page on.
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
  const faces = rules.flatMap((rule) => {
    if (!(rule instanceof CSSFontFaceRule)) return [];
    const of = (name: string) => rule.style.getPropertyValue(name);
    const { origin } = window.location;
    return new FontFace(
      of('font-family').replaceAll('"', ''),
      of('src').replaceAll('url("/', `url("${origin}/`),
      {
        style: of('font-style'),
        weight: of('font-weight'),
        unicodeRange: of('unicode-range'),
      },
    );
  });
  for (const face of faces) document.fonts.add(face);
  await document.fonts.ready;
  await Promise.all(faces.map((face) => face.load()));
}
