import type { ImageKind } from '#contract/images.ts';
import type { DrawnCode, PictureProblem, ReadPicture } from './pictures.ts';

/** What the threads are sent. */
export type PictureJob =
  | { readonly kind: 'read'; readonly file: Uint8Array; readonly searchMs: number }
  | { readonly kind: 'draw'; readonly as: ImageKind; readonly code: string };

/** What they answer; on the way between threads a Buffer becomes a Uint8Array. */
export type PictureAnswer =
  | { readonly kind: 'read'; readonly picture: ReadPicture }
  | { readonly kind: 'drawn'; readonly code: DrawnCode | null }
  | { readonly kind: 'refused'; readonly problem: PictureProblem };
