import type { ImageKind } from '#contract/images.ts';
import type { PictureKind } from '#contract/pictures.ts';
import {
  type Card,
  type DrawnCode,
  type PassPictures,
  type PicturedCode,
  type PictureProblem,
  PictureRefusal,
  type PublicPicture,
  type ReadPicture,
  type TextReading,
} from './pictures.ts';
import { limitWasmMemory } from './wasm-memory.ts';

/** For one decoder, in megabytes: what a photo of 50 million pixels needs. */
const WASM_MB = 512;

limitWasmMemory(WASM_MB * 2 ** 20);

/**
 * Does a job in a process of the pool. The first job of a kind loads what it needs: the owner of a code does not wait
 * for decoders, and few processes need the font of tickets.
 */
export async function answer(job: PictureJob): Promise<PictureAnswer> {
  if (job.kind === 'draw') {
    const { drawCode } = await import('./drawing.ts');
    return { kind: 'drawn', code: await drawCode(job.as, job.code) };
  }
  if (job.kind === 'icons') {
    const { drawIcons } = await import('./app-icons.ts');
    return { kind: 'icons', icons: [...(await drawIcons(job.picture, job.ground))] };
  }
  if (job.kind === 'card') {
    const { drawCard } = await import('./card-drawing.ts');
    return { kind: 'card', bytes: await drawCard(job.card) };
  }
  try {
    if (job.kind === 'pass') {
      const { drawPass } = await import('./pass-drawing.ts');
      return { kind: 'pass', pictures: await drawPass(job.pictured, job.mark) };
    }
    if (job.kind === 'publish') {
      const { publishPicture } = await import('./publishing.ts');
      return { kind: 'published', picture: await publishPicture(job.file, job.as) };
    }
    if (job.kind === 'text') {
      const { readText } = await import('./text-reading.ts');
      return { kind: 'text', readings: await readText(job.file) };
    }
    if (job.kind === 'workbook') {
      const { readWorkbook } = await import('./workbook.ts');
      return { kind: 'table', text: await readWorkbook(job.file) };
    }
    const { coverPicture, readPicture } = await import('./reading.ts');
    const picture = await (job.kind === 'read' ? readPicture(job.file, job.page) : coverPicture(job.file));
    return { kind: 'read', picture };
  } catch (error) {
    if (error instanceof PictureRefusal) return { kind: 'refused', problem: error.problem };
    throw error;
  }
}

/** A job for a process. */
export type PictureJob =
  | { readonly kind: 'read'; readonly file: Uint8Array; readonly page?: number }
  | { readonly kind: 'cover' | 'text' | 'workbook'; readonly file: Uint8Array }
  | { readonly kind: 'publish'; readonly as: PictureKind; readonly file: Uint8Array }
  | { readonly kind: 'draw'; readonly as: ImageKind; readonly code: string }
  | { readonly kind: 'pass'; readonly pictured: PicturedCode | null; readonly mark: Uint8Array | null }
  | { readonly kind: 'icons'; readonly picture: Uint8Array; readonly ground: string }
  | { readonly kind: 'card'; readonly card: Card };

/** The answer of a process. */
export type PictureAnswer =
  | { readonly kind: 'read'; readonly picture: ReadPicture }
  | { readonly kind: 'text'; readonly readings: readonly TextReading[] }
  | { readonly kind: 'table'; readonly text: string }
  | { readonly kind: 'published'; readonly picture: PublicPicture }
  | { readonly kind: 'drawn'; readonly code: DrawnCode | null }
  | { readonly kind: 'pass'; readonly pictures: PassPictures }
  | { readonly kind: 'icons'; readonly icons: readonly (readonly [name: string, bytes: Uint8Array])[] }
  | { readonly kind: 'card'; readonly bytes: Uint8Array }
  | { readonly kind: 'refused'; readonly problem: PictureProblem };
