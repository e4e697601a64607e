import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { FactName } from '#contract/coupons/images.ts';
import { type CouponFormValues, filledBy, suggestedBy } from '../coupon-form-values.ts';
import classes from './reading.module.css';
import type { PictureReading } from './use-picture-reading.ts';

type Field = keyof CouponFormValues;

/** The fact that each field is filled from. */
const FACT_OF: Partial<Record<Field, FactName>> = {
  title: 'title',
  merchant: 'merchant',
  category: 'category',
  value: 'worth',
  expiryDate: 'expiryDate',
  terms: 'terms',
};

/** What is said at a field that was filled from a picture, until it is changed. */
export type MarkOf = (field: Field) => {
  readonly description?: ReactNode;
  readonly inputWrapperOrder?: ('label' | 'input' | 'description' | 'error')[];
};

/** @param reading what the form was filled from; null if it was typed */
export function marksOf(reading: PictureReading | null, values: CouponFormValues): MarkOf {
  const filled = reading ? { ...(reading.facts && suggestedBy(reading.facts)), ...codeOf(reading) } : {};
  return (field) => {
    const fact = FACT_OF[field];
    if (!reading || !(field in filled) || filled[field] !== values[field]) return {};
    // A code that was read letter by letter is always looked at; what a symbol holds is certain, and is not marked.
    if (field === 'code' && reading.kind !== null) return {};
    const isDoubtful = field === 'code' || (fact !== undefined && reading.facts?.doubtful.includes(fact));
    return {
      description: textOf(field, reading.isPass, isDoubtful === true),
      inputWrapperOrder: ['label', 'input', 'description', 'error'],
    };
  };
}

/** The only code of the picture: that of its symbol, else the one in its words. Of several codes the person chooses one. */
function codeOf({ codes, facts }: PictureReading): Partial<CouponFormValues> {
  const [only, another] = codes;
  const code = only ? only.text : facts?.printedCode;
  return code === undefined || another ? {} : { code };
}

function textOf(field: Field, isPass: boolean, isDoubtful: boolean): ReactNode {
  if (field === 'category') return t`As for other coupons of this merchant`;
  if (field === 'description') return t`From title and merchant`;
  if (isPass) return t`From the wallet pass`;
  if (!isDoubtful) return t`Read from the picture`;
  return (
    <Trans>
      Read from the picture. <span className={classes.doubt}>Please check it</span>
    </Trans>
  );
}

/** Fills the form from a picture. */
export function valuesOfReading(
  reading: PictureReading,
  values: CouponFormValues,
): Partial<CouponFormValues> {
  const { url, kind, facts } = reading;
  return {
    ...(facts && filledBy(facts, values)),
    ...(values.code.trim() === '' && codeOf(reading)),
    // What we cannot read may be any code.
    ...(kind === 'barcode' ? { barcodeUrl: url } : { qrCodeUrl: url }),
  };
}
