import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { differenceOf, KEPT, type Picture, readPicture } from './looks.ts';
import { ADMIN_LOOKS, DIALOGS, LOOKS, MEMBER_LOOKS, PURCHASE_LOOKS } from './page-lists.ts';

/** What the comparison of pictures notices, on the page of a coupon. */

let file: Buffer;
let page: Picture;
beforeAll(async () => {
  file = await readFile(path.join(KEPT, 'coupon-1280-light.webp'));
  page = await readPicture(file);
});

/** A copy of the page in which each point of an area has the colour of another one. */
function drawn(
  [left, top, width, height]: readonly [number, number, number, number],
  from: (x: number, y: number) => readonly [x: number, y: number],
): Picture {
  const data = new Uint8Array(page.data);
  for (let y = top; y < top + height; y += 1) {
    for (let x = left; x < left + width; x += 1) {
      const [fromX, fromY] = from(x, y);
      const at = 4 * (fromY * page.width + fromX);
      data.set(page.data.subarray(at, at + 4), 4 * (y * page.width + x));
    }
  }
  return { ...page, data };
}

it('passes a page whose letters have other edges', async () => {
  const kernel = [0, 0, 0, 1, 100, 1, 0, 0, 0];
  const soft = sharp(file).removeAlpha().convolve({ width: 3, height: 3, kernel });
  const seen = await readPicture(await soft.png().toBuffer());
  expect(page.data.filter((value, index) => value !== seen.data[index]).length).toBeGreaterThan(10_000);
  expect(await differenceOf(page, seen)).toBeNull();
});

it.each([
  ['a button is 2 px further to the right', () => drawn([100, 660, 310, 44], (x, y) => [x - 2, y])],
  ['the right border of a box is missing', () => drawn([767, 480, 4, 220], (_, y) => [760, y])],
  [
    'a button has a slightly other colour',
    () => {
      const data = page.data.map((value, index) => {
        const [x, y] = [Math.floor(index / 4) % page.width, Math.floor(index / 4 / page.width)];
        const isInside = x > 103 && x < 403 && y > 664 && y < 700;
        return isInside && index % 4 === 0 ? Math.min(255, value + 16) : value;
      });
      return { ...page, data };
    },
  ],
  ['a word is missing', () => drawn([86, 745, 110, 20], (x) => [x, 735])],
  ['the window is another one', () => ({ ...page, height: page.height - 1 })],
])('notices that %s', async (_, change) => {
  expect(await differenceOf(page, change())).not.toBeNull();
});

it('has a picture of each page at both widths in both themes, and no other', async () => {
  const names = [LOOKS, MEMBER_LOOKS, PURCHASE_LOOKS, ADMIN_LOOKS]
    .flatMap((of) => Object.values(of))
    .concat(DIALOGS.map(([, name]) => name));
  const views = [1280, 390].flatMap((width) => ['light', 'dark'].map((theme) => `${width}-${theme}`));
  const files = names.flatMap((name) => views.map((view) => `${name}-${view}.webp`));
  expect((await readdir(KEPT)).sort()).toEqual(files.sort());
});
