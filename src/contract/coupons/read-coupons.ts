import { t } from '@lingui/core/macro';
import { centsToDecimal } from '#contract/base/money.ts';
import { quote } from '#contract/base/words.ts';
import type { TableCoupon } from './coupon-tables.ts';
import { type FoundCode, type ImageKind, kindOfFormat, type StatedFacts } from './images.ts';

/** What a picture is uploaded as until its code is found; the coupon then takes it as what it is. */
export const FIRST_KIND: ImageKind = 'qrcode';

/** An uploaded picture or page, and what it says. */
interface ReadPicture {
  readonly url: string;
  readonly codes: readonly FoundCode[];
  /** Of a pass, or what is printed; undefined where it is not known. */
  readonly facts: StatedFacts | undefined;
}

/** A coupon as it was read, before anybody has looked it over. */
export interface ReadCoupon {
  readonly coupon: TableCoupon;
  /** What a person should look at, by field. */
  readonly doubts: Partial<Record<keyof TableCoupon, string>>;
  /** The uploaded picture of the code, where it comes from one. */
  readonly picture: {
    readonly url: string;
    readonly kind: ImageKind;
    /** Whether the coupon's code is the one that the server reads in it. */
    readonly hasCode: boolean;
  } | null;
}

export const BLANK_COUPON: TableCoupon = {
  title: '',
  merchant: '',
  category: null,
  discountType: 'fixed',
  value: '',
  expiryDate: '',
  hasNoExpiry: false,
  description: '',
  code: '',
  pin: '',
  terms: '',
  regions: [],
  askingPrice: '',
};

/**
 * The coupons in one picture: one a code, or one without a code. A picture with several codes shows the others to a new
 * owner, so that no coupon keeps it.
 */
export function couponsOfPicture({ url, codes, facts }: ReadPicture): ReadCoupon[] {
  const { coupon, doubts } = couponOfFacts(facts);
  const [only] = codes;
  if (codes.length <= 1) {
    const kind = only ? kindOfFormat(only.format) : FIRST_KIND;
    return [
      {
        coupon: { ...coupon, code: only?.text ?? facts?.printedCode ?? '' },
        picture: { url, kind, hasCode: only !== undefined },
        doubts: { ...doubts, ...codeDoubt(only, facts?.printedCode) },
      },
    ];
  }
  return codes.map(({ text, isText }) => ({
    coupon: { ...coupon, code: text },
    picture: null,
    doubts: isText ? {} : { code: t`Only a picture holds all of this code. Crop it, and add it alone.` },
  }));
}

/** What a person should know of the code of a picture. @param only the code in it @param printed the one in its words */
function codeDoubt(only: FoundCode | undefined, printed: string | undefined): ReadCoupon['doubts'] {
  if (only) return printed === undefined ? {} : { code: printedText(printed) };
  return {
    code:
      printed === undefined
        ? t`We could not read a code in this picture. It stays as it is.`
        : t`Read in print. Please compare it with the picture.`,
  };
}

/** Said of a pass with another code under its barcode. */
export const printedText = (code: string) =>
  t`The pass shows ${quote(code)} under its barcode: some shops type that code.`;

/** What stated facts say of a coupon, without its code. */
export function couponOfFacts(facts: StatedFacts | undefined): Pick<ReadCoupon, 'coupon' | 'doubts'> {
  if (!facts) return { coupon: BLANK_COUPON, doubts: {} };
  const { merchant, title, category, worth, expiryDate, hasNoExpiry, terms, doubtful } = facts;
  const fields = doubtful.map((fact) => (fact === 'worth' ? 'value' : fact));
  return {
    coupon: {
      ...BLANK_COUPON,
      merchant: merchant ?? '',
      title: title ?? '',
      category,
      ...(worth && { value: centsToDecimal(worth.value), discountType: worth.discountType }),
      expiryDate: expiryDate ?? '',
      hasNoExpiry,
      terms: terms ?? '',
    },
    doubts: Object.fromEntries(fields.map((field) => [field, t`Please check it: it is hard to read.`])),
  };
}
