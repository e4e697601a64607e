import type { PercentCrop } from 'react-image-crop';

/** The longer side in pixels: the server keeps no more. */
const MAX_SIDE = 2000;

/** The pixels of a file, upright, on white. @throws DOMException if the browser cannot decode it */
export async function openPicture(file: File): Promise<HTMLCanvasElement> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
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
