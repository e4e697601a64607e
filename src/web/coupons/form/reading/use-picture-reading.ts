import type { FoundCode, ImageKind, StatedFacts } from '#contract/coupons/images.ts';
import { kindOfFormat } from '#contract/coupons/images.ts';
import { useExtractCode } from '#web/coupons/core/queries.ts';
import { trpc } from '#web/lib/trpc.ts';

/** What was found in the picture of a coupon. */
export interface PictureReading {
  /** The address of the upload. */
  readonly url: string;
  readonly codes: readonly FoundCode[];
  /** What the first code is drawn as; null without a code. */
  readonly kind: ImageKind | null;
  /** What is printed, or what a wallet pass says; null if it could not be read. */
  readonly facts: StatedFacts | null;
  readonly isPass: boolean;
}

/** Reads the code and the print of an uploaded picture. What cannot be read is left out: people type it instead. */
export function usePictureReading() {
  const { mutateAsync: extractCode } = useExtractCode();
  const { mutateAsync: extractFacts } = trpc.images.extractFacts.useMutation();
  return async (url: string, stated?: StatedFacts): Promise<PictureReading> => {
    const [read, facts] = await Promise.all([
      extractCode({ imageUrl: url, imageType: 'qrcode' }).catch(() => null),
      stated ?? extractFacts({ imageUrl: url }).catch(() => null),
    ]);
    const codes = read?.codes ?? [];
    const [first] = codes;
    return {
      url,
      codes,
      kind: first ? kindOfFormat(first.format) : null,
      facts,
      isPass: stated !== undefined,
    };
  };
}
