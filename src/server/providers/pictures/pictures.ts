import type { FoundCode, ImageKind } from '#contract/images.ts';

/** A picture, decoded and encoded anew: nothing of what was sent is in it but its pixels. */
export interface ReadPicture {
  readonly bytes: Buffer;
  readonly contentType: 'image/webp' | 'image/png';
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Every code found, the likeliest first; positions in pixels of `bytes`. */
  readonly codes: readonly FoundCode[];
}

/** A code as a picture. */
export interface DrawnCode {
  readonly bytes: Buffer;
  readonly contentType: 'image/png' | 'image/svg+xml';
}

/**
 * Why a file is no picture for us. `too_slow` is also what a picture gets while too many others wait: tried
 * again later it may be read.
 */
export type PictureProblem = 'not_an_image' | 'too_many_pixels' | 'broken' | 'too_slow';

export class PictureRefusal extends Error {
  override readonly name = 'PictureRefusal';
  readonly problem: PictureProblem;

  constructor(problem: PictureProblem) {
    super(`The picture was refused: ${problem}`);
    this.problem = problem;
  }
}

/** Reads and draws pictures of codes, in threads of its own: whatever is sent, the program goes on. */
export interface Pictures {
  /** Re-encodes an uploaded file and finds the codes in it. @throws PictureRefusal */
  read(file: Uint8Array): Promise<ReadPicture>;
  /** Draws a code; null where it cannot be drawn that way (a text too long, signs that the symbology lacks). */
  draw(kind: ImageKind, code: string): Promise<DrawnCode | null>;
  close(): Promise<void>;
}
