import type { IncomingMessage } from 'node:http';
import { t } from '@lingui/core/macro';
import type { FastifyRequest } from 'fastify';
import { AppError } from '#server/core/errors.ts';

/**
 * Watches how much of a body comes: at most one piece more than it may.
 * @param check throws when so many bytes are too many; called before each piece
 * @returns never resolves; rejects with what `check` throws, and hands nothing on any more
 */
export function watchBody(raw: IncomingMessage, check: (bytes: number) => void): Promise<never> {
  const refused = new Promise<never>((_resolve, reject) => {
    let size = 0;
    raw.on('data', (piece: Buffer) => {
      try {
        check(size);
      } catch (error) {
        raw.unpipe();
        reject(error);
      }
      size += piece.length;
    });
  });
  // Whoever reads to the end before does not wait for it.
  refused.catch(() => {});
  return refused;
}

/**
 * Reads a body as text.
 * @param most in bytes
 * @param check throws when so many bytes are too many for now; called with each piece
 * @throws AppError payload_too_large
 */
export async function textOfBody(
  { raw }: FastifyRequest,
  most: number,
  check?: (bytes: number) => void,
): Promise<string> {
  const tooLarge = () => new AppError('payload_too_large', t`The body must have at most ${most} bytes`);
  if (Number(raw.headers['content-length']) > most) throw tooLarge();
  const pieces: Buffer[] = [];
  let size = 0;
  // Otherwise a refusal would close the connection that it has to go over.
  for await (const piece of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > most) throw tooLarge();
    check?.(size);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** Lets the rest of a body go. Otherwise the answer would wait behind it. */
export function discardBody({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.resume();
}
