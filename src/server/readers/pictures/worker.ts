import type { ImageKind } from '#contract/coupons/images.ts';
import type { PictureKind } from '#contract/people/pictures.ts';
import { answerBy, type PictureJob } from './answering.ts';
import type { Card, PicturedCode } from './pictures.ts';
import { limitWasmMemory } from './wasm-memory.ts';

/** For one decoder, in megabytes: what a photo of 50 million pixels needs. */
const WASM_MB = 512;

limitWasmMemory(WASM_MB * 2 ** 20);

/**
 * What a process can do that reads and draws pictures. The first job of a kind loads what it needs: the owner of a code does not wait for
 * decoders, and few processes need the font of tickets.
 */
const JOBS = {
  draw: async (kind: ImageKind, code: string) => (await import('./drawing.ts')).drawCode(kind, code),
  icons: async (picture: Uint8Array, ground: string) =>
    (await import('./app-icons.ts')).drawIcons(picture, ground),
  card: async (card: Card) => (await import('./card-drawing.ts')).drawCard(card),
  pass: async (pictured: PicturedCode | null, mark: Uint8Array | null) =>
    (await import('./pass-drawing.ts')).drawPass(pictured, mark),
  publish: async (file: Uint8Array, kind: PictureKind) =>
    (await import('./publishing.ts')).publishPicture(file, kind),
  read: async (file: Uint8Array, page?: number) => (await import('./reading.ts')).readPicture(file, page),
  cover: async (file: Uint8Array) => (await import('./reading.ts')).coverPicture(file),
};

export type PictureJobs = typeof JOBS;

/** Does a job in a process of the pool. */
export const answer = (job: PictureJob) => answerBy(JOBS, job);
