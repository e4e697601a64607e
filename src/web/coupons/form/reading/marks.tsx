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
  const filled = reading?.facts ? suggestedBy(reading.facts) : {};
  return (field) => {
    const fact = FACT_OF[field];
    if (!reading || !(field in filled) || filled[field] !== values[field]) return {};
    const isDoubtful = fact !== undefined && reading.facts?.doubtful.includes(fact);
    return {
      description: textOf(field, reading.isPass, isDoubtful === true),
      inputWrapperOrder: ['label', 'input', 'description', 'error'],
    };
  };
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
  const { url, codes, kind, facts } = reading;
  const [only, another] = codes;
  return {
    ...(facts && filledBy(facts, values)),
    // Of several codes the person chooses one.
    ...(only && !another && values.code.trim() === '' && { code: only.text }),
    ...(kind === 'qrcode' && { qrCodeUrl: url }),
    ...(kind === 'barcode' && { barcodeUrl: url }),
  };
}
