import { useState } from 'react';
import type { FoundCode, ImageKind } from '#contract/coupons/images.ts';
import { useExtractCode } from '#web/coupons/core/queries.ts';
import { cutOut } from '#web/lib/picture-canvas.ts';
import { uploadImage } from '#web/lib/upload.ts';

/** A picture with several coupons. Each code becomes a coupon of its own, with its part of the picture. */
export interface Sheet {
  readonly kind: ImageKind;
  /** The address of the whole picture. */
  readonly url: string;
  /** The codes that no coupon has yet. */
  readonly codes: readonly FoundCode[];
}

/** The sheet without the code that a coupon has got; null when no code is left. */
export function withoutCode(sheet: Sheet, code: string | null | undefined): Sheet | null {
  const codes = sheet.codes.filter(({ text }) => text !== code);
  return codes.length > 0 ? { ...sheet, codes } : null;
}

/** Uploads the part of a sheet around one code. A part on which another code can be read is not used. */
export function useCutOut(kind: ImageKind) {
  const { mutateAsync: extract } = useExtractCode();
  const [state, setState] = useState<'idle' | 'cutting' | 'failed'>('idle');
  /** @returns the address of the part; undefined if it cannot be had */
  const cut = async ({ url }: Sheet, code: FoundCode): Promise<string | undefined> => {
    setState('cutting');
    try {
      const part = await uploadImage(kind, await cutOut(url, code.position));
      const { codes } = await extract({ imageUrl: part.url, imageType: kind });
      if (codes.some(({ text }) => text !== code.text)) throw new Error('Other codes are on this part');
      setState('idle');
      return part.url;
    } catch {
      setState('failed');
      return undefined;
    }
  };
  return { cut, state };
}
