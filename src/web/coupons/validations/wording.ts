import { t } from '@lingui/core/macro';
import { locale } from '#contract/base/i18n.ts';
import { discountPercentText } from '#contract/base/locale.ts';
import {
  OFFLINE_SUFFIX,
  VALIDATION_SOURCES,
  type ValidationDetails,
  type ValidationResult,
  type ValidationSource,
} from '#contract/coupons/validation.ts';

const SOURCE_NAMES: Record<ValidationSource, string> = {
  auto: t`Automatic`,
  voucherify: 'Voucherify',
  coupontools: 'Coupontools',
  aklamio: 'Aklamio',
  library: t`Code library`,
  pattern: t`Code pattern`,
  offline: t`Offline`,
};

const SOURCE_TEXTS: Record<ValidationSource, string> = {
  auto: t`Asks the service that knows the merchant’s codes. If there is none, checks the format of the code.`,
  voucherify: t`Asks Voucherify, for merchants whose codes are issued there.`,
  coupontools: t`Asks Coupontools, for merchants whose codes are issued there.`,
  aklamio: t`Asks Aklamio, for merchants whose codes are issued there.`,
  library: t`Reads standard coupon codes: offer, last day and check digits. Asks no one.`,
  pattern: t`Checks whether this can be a code at all. Asks no one.`,
  offline: t`Uses only checks that need no other service.`,
};

export const SOURCE_CHOICES = VALIDATION_SOURCES.map((value) => ({
  value,
  label: SOURCE_NAMES[value],
  text: SOURCE_TEXTS[value],
}));

/** Who gave the verdict. */
export function sourceText(validatedWith: string): string {
  const name = validatedWith.replace(new RegExp(`${OFFLINE_SUFFIX}$`), '');
  const source = VALIDATION_SOURCES.find((known) => known === name);
  if (name !== validatedWith) {
    return t`Checked without ${source ? SOURCE_NAMES[source] : name}, which could not be reached`;
  }
  if (source === 'library') return t`Checked with the code library: the structure of the code`;
  if (source === 'pattern') return t`Checked by its pattern: the look of the code`;
  if (source === 'offline') return t`Checked offline, without asking anyone`;
  return t`Checked with ${source ? SOURCE_NAMES[source] : name}`;
}

type Outcome = 'confirmed' | 'unconfirmed' | 'invalid';

/** A valid code that nobody has confirmed is 'unconfirmed'. */
export function outcomeOf({ valid, details }: ValidationResult): Outcome {
  if (!valid) return 'invalid';
  return details.confirmed ? 'confirmed' : 'unconfirmed';
}

export const OUTCOME_TITLES: Record<Outcome, string> = {
  confirmed: t`Valid`,
  unconfirmed: t({ context: 'code', message: 'Not confirmed' }),
  invalid: t`Not valid`,
};

/** Something that speaks for or against a code. */
export interface Sign {
  readonly weight: 'against' | 'strong' | 'weak';
  readonly text: string;
}

/** The checks by weight. Checks of the form prove little, so together they are one line. */
export function signsOf({ checks, confidence }: ValidationDetails): Sign[] {
  const passed = checks.filter(({ passed: isPassed }) => isPassed);
  const isForm = (name: string) => confidence === 'format-only' && name !== 'provider';
  const form = passed.filter(({ name }) => isForm(name));
  return [
    ...checks.filter((check) => !check.passed).map(({ text }) => ({ weight: 'against', text }) as const),
    ...passed.filter(({ name }) => !isForm(name)).map(({ text }) => ({ weight: 'strong', text }) as const),
    ...(form.length > 0 ? [{ weight: 'weak', text: FORM_TEXT } as const] : []),
  ];
}

const FORM_TEXT = t`It looks like a code. No one was asked whether it works.`;

/** The discount without a currency, which codes do not name; null if the verdict has no value. */
export function worthText({ value, discountType }: ValidationDetails): string | null {
  if (value === null) return null;
  if (discountType === 'percentage') return discountPercentText(value);
  return new Intl.NumberFormat(locale(), { minimumFractionDigits: 2, useGrouping: false }).format(
    value / 100,
  );
}

const FORMAT_NAMES: Partial<Record<string, string>> = {
  QRCode: t`QR code`,
  QRCodeModel1: t`QR code`,
  QRCodeModel2: t`QR code`,
  MicroQRCode: t`Micro QR code`,
  RMQRCode: t`Rectangular micro QR code`,
  EAN13: 'EAN-13',
  EAN8: 'EAN-8',
  UPCA: 'UPC-A',
  UPCE: 'UPC-E',
  ITF14: 'ITF-14',
  DataBarOmni: 'DataBar',
  DataBarLtd: 'DataBar Limited',
  DataBarExp: 'DataBar Expanded',
  DataBarExpStk: 'DataBar Expanded Stacked',
  DataMatrix: t`Data Matrix`,
  AztecCode: 'Aztec',
};

/** The usual name of a symbology: 'Code 128' for 'Code128'. */
export function formatName(format: string): string {
  return FORMAT_NAMES[format] ?? format.replace(/([a-z])(\d)/g, '$1 $2');
}
