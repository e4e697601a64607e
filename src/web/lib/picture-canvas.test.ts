import { describe, expect, it, vi } from 'vitest';
import { boxAround, reducedPhoto } from './picture-canvas.ts';

const PICTURE = { width: 400, height: 300 };
const corners = (left: number, top: number, right: number, bottom: number) => [
  { x: left, y: top },
  { x: right, y: top },
  { x: right, y: bottom },
  { x: left, y: bottom },
];

describe('the box around a code', () => {
  it('has a quiet zone', () => {
    const box = { x: 88, y: 88, width: 124, height: 124 };
    expect(boxAround(corners(100, 100, 200, 200), PICTURE)).toEqual(box);
  });

  it('is high enough for a linear code, of which a line is known', () => {
    const box = { x: 88, y: 123, width: 124, height: 54 };
    expect(boxAround(corners(100, 150, 200, 150), PICTURE)).toEqual(box);
  });

  it('stays within the picture', () => {
    expect(boxAround(corners(0, 0, 399, 299), PICTURE)).toEqual({ x: 0, y: 0, ...PICTURE });
  });
});

/** A browser whose pictures have this size, and whose JPEG files so many bytes. */
function stubBrowser(width: number, height: number, bytes: number) {
  const made: { width: number; height: number }[] = [];
  vi.stubGlobal('createImageBitmap', async () => ({ width, height, close: () => undefined }));
  const pen = { fillRect: () => undefined, drawImage: () => undefined };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(pen as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function answer(
    this: HTMLCanvasElement,
    take,
  ) {
    made.push({ width: this.width, height: this.height });
    take(new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }));
  });
  return made;
}

const file = (type: string, megabytes: number) =>
  new File([new Uint8Array(megabytes * 2 ** 20)], 'photo', { type });

describe('a photo', () => {
  it('that is large is reduced to 3000 pixels before it is sent', async () => {
    const made = stubBrowser(4032, 3024, 900_000);
    const sent = await reducedPhoto(file('image/jpeg', 9));
    expect(made).toEqual([{ width: 3000, height: 2250 }]);
    expect([sent.size, sent.type]).toEqual([900_000, 'image/jpeg']);
  });

  it.each([
    ['is small', 'image/jpeg', 1],
    ['is a drawing', 'image/png', 5],
    ['is a PDF', 'application/pdf', 5],
  ])('is sent as it is if it %s', async (_, type, megabytes) => {
    stubBrowser(4032, 3024, 10);
    const given = file(type, megabytes);
    expect(await reducedPhoto(given)).toBe(given);
  });

  it('is sent as it is if the browser cannot decode it, or would make it larger', async () => {
    const given = file('image/heic', 2);
    stubBrowser(4032, 3024, 3e6);
    expect(await reducedPhoto(given)).toBe(given);
    vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('No decoder')));
    expect(await reducedPhoto(given)).toBe(given);
  });
});
