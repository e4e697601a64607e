import type { FoundCode, ImageKind } from '#contract/images.ts';

const HOUR_MS = 3_600_000;
/** How long an upload is kept for a coupon to take it. */
const MEMBERS_HOURS = 24;
const NOBODYS_HOURS = 1;

const PREFIX = '/api/images/';

/** Where an upload is found while no coupon has it. */
export function imageUrl(id: string): string {
  return `${PREFIX}${id}`;
}

/** The name that such an address ends with. */
export function imageIdOf(url: string): string {
  return url.slice(PREFIX.length);
}

/** Uploads that no coupon has taken and that are no younger than this have run out. */
export function looseUntil(now: Date): { members: Date; nobodys: Date } {
  return {
    members: new Date(now.getTime() - MEMBERS_HOURS * HOUR_MS),
    nobodys: new Date(now.getTime() - NOBODYS_HOURS * HOUR_MS),
  };
}

/**
 * Whether somebody (null: nobody signed in) may look at a loose upload: it is theirs, or, where nobody was signed
 * in, they know its name. Nobody's rank opens what another has uploaded.
 */
export function maySee(
  image: { readonly uploaderId: number | null; readonly createdAt: Date },
  viewerId: number | null,
  now: Date,
): boolean {
  const until = looseUntil(now);
  if (image.uploaderId === null) return image.createdAt > until.nobodys;
  return image.uploaderId === viewerId && image.createdAt > until.members;
}

/** The symbologies in two dimensions: QRCode and MicroQRCode, PDF417 and MicroPDF417, Aztec, AztecRune, … */
const MATRIX = /QRCode|DataMatrix|Aztec|PDF417|MaxiCode/;

/** The code that a picture of this kind was most likely taken for: of that kind, else whatever was found. */
export function likeliestCode(codes: readonly FoundCode[], kind: ImageKind): string | null {
  const ofKind = codes.find(({ format }) => MATRIX.test(format) === (kind === 'qrcode'));
  return (ofKind ?? codes[0])?.text ?? null;
}
