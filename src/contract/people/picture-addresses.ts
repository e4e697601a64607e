export const PICTURE_FORMATS = ['avif', 'webp'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

const PREFIX = '/api/pictures/';
/** The address of an uploaded picture: its name with its size, and the width of the file. */
export const PICTURE_ADDRESS =
  /^\/api\/pictures\/([\w-]{22}-([1-9]\d{0,3})x([1-9]\d{0,3}))\/([1-9]\d{0,3})\.webp$/;

/** The widths in pixels that a picture is kept in: three, unless it is tiny. */
export function pictureWidths(width: number): readonly number[] {
  return [...new Set([Math.ceil(width / 4), Math.ceil(width / 2), width])];
}

/** The public address of a picture by its name: that of its largest WebP; null for none. */
export function pictureUrl(id: string): string;
export function pictureUrl(id: string | null): string | null;
export function pictureUrl(id: string | null): string | null {
  return id && `${PREFIX}${id}/${/-(\d+)x\d+$/.exec(id)?.[1]}.webp`;
}

/** The name in a picture's address. */
export function pictureIdOf(url: string): string {
  return PICTURE_ADDRESS.exec(url)?.[1] ?? '';
}

/** The width on screen of an offer's picture on the page of its coupon, for the browser's choice of a file. */
export const OFFER_PICTURE_SIZES = '(min-width: 62em) 640px, 100vw';

/** The size of a picture in pixels, and its files as `srcset`s; null for any other address. */
export function pictureSources(
  url: string,
): { width: number; height: number; srcSets: Record<PictureFormat, string> } | null {
  const [, id, width, height] = PICTURE_ADDRESS.exec(url) ?? [];
  if (!id) return null;
  const srcSet = (format: PictureFormat) =>
    pictureWidths(Number(width))
      .map((each) => `${PREFIX}${id}/${each}.${format} ${each}w`)
      .join(', ');
  return {
    width: Number(width),
    height: Number(height),
    srcSets: { avif: srcSet('avif'), webp: srcSet('webp') },
  };
}
