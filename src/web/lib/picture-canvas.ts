import type { PercentCrop } from 'react-image-crop';

/** The longer side in pixels: the server keeps no more. */
const MAX_SIDE = 2000;

/** The longer side in pixels to which photos are reduced before they are sent: more than the server looks at. */
const SENT_SIDE = 3000;

/** Photos with fewer bytes are sent as they are. */
const LARGE_BYTES = 1.5 * 1024 * 1024;

/** Reduces a large photo. Returns any other file unchanged, and any that the browser cannot decode. */
export async function reducedPhoto(file: File): Promise<File> {
  if (file.size < LARGE_BYTES || !/^image\/(jpeg|heic|heif)$/.test(file.type)) return file;
  try {
    const reduced = await toFile(await openPicture(file, SENT_SIDE));
    return reduced.size < file.size ? reduced : file;
  } catch {
    return file;
  }
}

/** The part of an uploaded picture around a code, whose corners are given in pixels. @throws if it cannot be opened */
export async function cutOut(url: string, corners: readonly { x: number; y: number }[]): Promise<File> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`The picture was not answered: ${answer.status}`);
  const from = await openPicture(await answer.blob());
  const { x, y, width, height } = boxAround(corners, from);
  const { canvas, pen } = blank(width, height);
  pen.drawImage(from, x, y, width, height, 0, 0, canvas.width, canvas.height);
  return toFile(canvas);
}

/** Of a code's length: its quiet zone, and the least height, since decoders report a line of a linear code. */
const MARGIN = 0.12;
const LEAST_HEIGHT = 0.3;

/** The box around a code, with its quiet zone, within the picture. */
export function boxAround(
  corners: readonly { x: number; y: number }[],
  within: { readonly width: number; readonly height: number },
) {
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const length = Math.max(right - left, bottom - top);
  const grown = (size: number) => MARGIN * length + Math.max(0, LEAST_HEIGHT * length - size) / 2;
  const [across, down] = [grown(right - left), grown(bottom - top)];
  const x = Math.max(0, Math.floor(left - across));
  const y = Math.max(0, Math.floor(top - down));
  return {
    x,
    y,
    width: Math.min(within.width, Math.ceil(right + across)) - x,
    height: Math.min(within.height, Math.ceil(bottom + down)) - y,
  };
}

/** The pixels of a file, upright, on white. @throws DOMException if the browser cannot decode it */
export async function openPicture(file: Blob, side = MAX_SIDE): Promise<HTMLCanvasElement> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const { canvas, pen } = blank(bitmap.width * scale, bitmap.height * scale);
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas;
}

/** A part of a picture. */
export function cropped(from: HTMLCanvasElement, part: PercentCrop): HTMLCanvasElement {
  const { x, y, width, height } = pixelsOf(from, part);
  const { canvas, pen } = blank(width, height);
  pen.drawImage(from, x, y, width, height, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** A picture with a black box over a part of it. */
export function withCover(from: HTMLCanvasElement, part: PercentCrop): HTMLCanvasElement {
  const { canvas, pen } = blank(from.width, from.height);
  pen.drawImage(from, 0, 0);
  pen.fillStyle = '#000';
  const { x, y, width, height } = pixelsOf(from, part);
  pen.fillRect(x, y, width, height);
  return canvas;
}

/** A data URL, which our content security policy allows in pages. */
export function toUrl(canvas: HTMLCanvasElement): string {
  return canvas.toDataURL('image/jpeg', 0.9);
}

/** A file to upload. JPEG: not every browser writes WebP. */
export function toFile(canvas: HTMLCanvasElement): Promise<File> {
  return new Promise((resolve, reject) => {
    const take = (blob: Blob | null) =>
      blob
        ? resolve(new File([blob], 'picture.jpg', { type: blob.type }))
        : reject(new Error('The canvas is empty'));
    canvas.toBlob(take, 'image/jpeg', 0.92);
  });
}

function blank(width: number, height: number) {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('This browser draws no pictures');
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  return { canvas, pen };
}

function pixelsOf({ width, height }: HTMLCanvasElement, part: PercentCrop) {
  const [across, down] = [width / 100, height / 100];
  return { x: part.x * across, y: part.y * down, width: part.width * across, height: part.height * down };
}
