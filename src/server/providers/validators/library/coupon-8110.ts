import { t } from '@lingui/core/macro';
import { createDigitReader, type DigitReader, type Part, type Problem, readGs1Day } from './digit-reader.ts';

const REQUIREMENT_CODES = ['0', '1', '2', '3', '4', '9'] as const;
const RULES = ['0', '1', '2', '3'] as const;
const SAVE_VALUE_CODES = ['0', '1', '2', '5', '6'] as const;
const ITEMS = ['0', '1', '2'] as const;
const ANY_DIGIT = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

/** A required purchase; see meanings.ts for the codes. */
export interface Purchase {
  readonly amount: number;
  readonly code: (typeof REQUIREMENT_CODES)[number];
  readonly family: string;
  /** The maker of the product; null if it is the coupon's own. */
  readonly companyPrefix: string | null;
}

/** A North American coupon, GS1 application identifier 8110. Days are `YYYY-MM-DD`. */
export interface Coupon8110 {
  readonly companyPrefix: string;
  readonly offerCode: string;
  readonly saveValue: number;
  readonly saveValueCode: (typeof SAVE_VALUE_CODES)[number];
  /** The purchase that becomes cheaper; null if the code does not say. */
  readonly appliesTo: (typeof ITEMS)[number] | null;
  readonly isMultiplicationForbidden: boolean;
  readonly storeFlag: string | null;
  readonly purchases: readonly [first: Purchase, second: Purchase | null, third: Purchase | null];
  /** How the purchases are combined; null if the code does not say. */
  readonly rule: (typeof RULES)[number] | null;
  readonly expiryDate: string | null;
  readonly startDate: string | null;
  readonly serialNumber: string | null;
  readonly retailer: string | null;
}

type Ordinal = '1ST' | '2ND' | '3RD';

const PREFIX_LENGTH = { from: 0, to: 6, extra: 6 };
const AMOUNT_LENGTH = { from: 1, to: 5, extra: 0 };

/**
 * Reads the digits after the identifier 8110. The order is fixed: six parts that every coupon has, then optional
 * parts in ascending order of the digit that announces them.
 * @param now decides the century of the days
 */
export function parseCoupon8110(data: string, now: Date): { coupon: Coupon8110 } | { problem: Problem } {
  const reader = createDigitReader(data);
  const companyPrefix = reader.sized({ name: 'GCP', text: () => t`company prefix` }, PREFIX_LENGTH);
  const offerCode = reader.fixed({ name: 'OFFER_CODE', text: () => t`offer code` }, 6);
  const saveValue = Number(reader.sized({ name: 'SAVE_VALUE', text: () => t`value` }, AMOUNT_LENGTH));
  const first = { ...readPurchase(reader, '1ST'), companyPrefix: null };

  const rule = reader.skip('1') ? reader.oneOf(RULES_PART, RULES) : null;
  const second = rule === null ? null : readOtherPurchase(reader, '2ND');
  const third = reader.skip('2') ? readOtherPurchase(reader, '3RD') : null;
  const expiryDate = reader.skip('3') ? readDay(reader, EXPIRY, now) : null;
  const startDate = reader.skip('4') ? readDay(reader, START, now) : null;
  if (expiryDate && startDate && expiryDate < startDate) {
    reader.refuse({ name: 'COUPON_EXPIRATION_BEFORE_START', text: () => t`it ends before it begins` });
  }
  const serialNumber = reader.skip('5') ? reader.sized(SERIAL_NUMBER, { from: 0, to: 9, extra: 6 }) : null;
  const retailer = reader.skip('6') ? reader.sized(RETAILER, { from: 1, to: 7, extra: 6 }) : null;
  const saving = reader.skip('9') ? readSaving(reader) : DEFAULT_SAVING;

  const problem = reader.finish();
  if (problem) return { problem };
  const purchases = [first, second, third] as const;
  const period = { expiryDate, startDate };
  return {
    coupon: {
      companyPrefix,
      offerCode,
      saveValue,
      ...saving,
      purchases,
      rule,
      ...period,
      serialNumber,
      retailer,
    },
  };
}

const RULES_PART: Part = {
  name: 'ADDITIONAL_PURCHASE_RULES_CODE',
  text: () => t`rule for further purchases`,
};
const SERIAL_NUMBER: Part = { name: 'SERIAL_NUMBER', text: () => t`serial number` };
const RETAILER: Part = { name: 'RETAILER_GCP_OR_GLN', text: () => t`retailer’s number` };

function partOf(ordinal: Ordinal, name: string, text: () => string): Part {
  return {
    name: `${ordinal}_PURCHASE_${name}`,
    text: () => {
      const part = text();
      if (ordinal === '1ST') return t`first purchase’s ${part}`;
      return ordinal === '2ND' ? t`second purchase’s ${part}` : t`third purchase’s ${part}`;
    },
  };
}

function readPurchase(reader: DigitReader, ordinal: Ordinal): Omit<Purchase, 'companyPrefix'> {
  return {
    amount: Number(
      reader.sized(
        partOf(ordinal, 'REQUIREMENT', () => t`amount`),
        AMOUNT_LENGTH,
      ),
    ),
    code: reader.oneOf(
      partOf(ordinal, 'REQUIREMENT_CODE', () => t`unit`),
      REQUIREMENT_CODES,
    ),
    family: reader.fixed(
      partOf(ordinal, 'FAMILY_CODE', () => t`product family`),
      3,
    ),
  };
}

function readOtherPurchase(reader: DigitReader, ordinal: Ordinal): Purchase {
  const purchase = readPurchase(reader, ordinal);
  const part = partOf(ordinal, 'GCP', () => t`company prefix`);
  // A 9 in place of a length means that there is no prefix.
  return { ...purchase, companyPrefix: reader.skip('9') ? null : reader.sized(part, PREFIX_LENGTH) };
}

/** GS1 misspells the name of one problem; we keep its names so that they can be compared. */
const EXPIRY = { tooShort: 'EXPIRATION_DATE', invalid: 'EXIPIRATION_DATE', text: () => t`last day` };
const START = { tooShort: 'START_DATE', invalid: 'START_DATE', text: () => t`first day` };

function readDay(reader: DigitReader, { tooShort, invalid, text }: typeof EXPIRY, now: Date): string | null {
  const digits = reader.take(6, {
    name: `COUPON_TOO_SHORT_FOR_${tooShort}`,
    text: () => t`its ${text()} is cut short`,
  });
  const day = readGs1Day(digits, now);
  if (!day) reader.refuse({ name: `COUPON_INVALID_${invalid}`, text: () => t`its ${text()} is not a date` });
  return day;
}

type Saving = Pick<Coupon8110, 'saveValueCode' | 'appliesTo' | 'storeFlag' | 'isMultiplicationForbidden'>;

const DEFAULT_SAVING: Saving = {
  saveValueCode: '0',
  appliesTo: null,
  storeFlag: null,
  isMultiplicationForbidden: false,
};

function readSaving(reader: DigitReader): Saving {
  return {
    saveValueCode: reader.oneOf({ name: 'SAVE_VALUE_CODE', text: () => t`kind of value` }, SAVE_VALUE_CODES),
    appliesTo: reader.oneOf({ name: 'SAVE_VALUE_APPLIES_TO_ITEM', text: () => t`cheaper product` }, ITEMS),
    storeFlag: reader.oneOf(
      { name: 'STORE_COUPON_FLAG', text: () => t`sign of a store’s own coupon` },
      ANY_DIGIT,
    ),
    isMultiplicationForbidden:
      reader.oneOf({ name: 'DONT_MULTIPLY_FLAG', text: () => t`sign against multiplying` }, ['0', '1']) ===
      '1',
  };
}

/**
 * A coupon of GS1 application identifier 8112, which has numbers only. The Coupon Bureau's file has its value and
 * its last day, and is only open to retailers.
 */
interface Coupon8112 {
  readonly format: '0' | '1';
  readonly funder: string;
  readonly offerCode: string;
  readonly serialNumber: string;
}

/** Reads the digits after the identifier 8112. */
export function parseCoupon8112(data: string): { coupon: Coupon8112 } | { problem: Problem } {
  const reader = createDigitReader(data);
  const coupon = {
    format: reader.oneOf({ name: 'FORMAT_CODE', text: () => t`format` }, ['0', '1']),
    funder: reader.sized({ name: 'FUNDER', text: () => t`funder’s number` }, { from: 0, to: 6, extra: 6 }),
    offerCode: reader.fixed({ name: 'OFFER_CODE', text: () => t`offer code` }, 6),
    serialNumber: reader.sized(
      { name: 'SERIAL_NUMBER', text: () => t`serial number` },
      { from: 0, to: 9, extra: 6 },
    ),
  };
  const problem = reader.finish();
  return problem ? { problem } : { coupon };
}
