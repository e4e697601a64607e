import { t } from '@lingui/core/macro';
import { CATEGORIES } from '#contract/coupons/choices.ts';
import { TABLE_TEXT_MAX, type TableCoupon } from '#contract/coupons/coupon-tables.ts';
import type { CouponPayload } from '#contract/coupons/coupons.ts';
import type { Draft } from '#contract/coupons/drafts.ts';
import { BLANK_COUPON, type ReadCoupon } from '#contract/coupons/read-coupons.ts';
import {
  type CouponFormValues,
  checkCoupon,
  describedAs,
  EMPTY_COUPON,
  toPayload,
} from '#web/coupons/form/coupon-form-values.ts';
import { newClientKey } from '#web/lib/client-key.ts';
import { formatValue } from '#web/lib/format.ts';
import { typedCents } from '#web/lib/typed-amount.ts';

export type Field = keyof TableCoupon;

/** A row on screen. */
export interface Row extends ReadCoupon {
  readonly key: string;
  /** The draft from the viewer's email that it is, until it is listed. */
  readonly draftId?: number | undefined;
  /** Who sent that email, and its subject. */
  readonly source?: string | undefined;
  /** Whether somebody has changed it here. */
  readonly isTyped?: boolean;
  /** The server's refusals by field; '' is the whole row. They last until the row changes. */
  readonly refusals: Partial<Record<Field | '', string>>;
  /** Whether it had a code that was not kept over a reload. */
  readonly isCodeLost: boolean;
  /** Whether the merchant calls the code dead; `acknowledged`: it is listed anyway. */
  readonly deadCode: 'refused' | 'acknowledged' | null;
}

/** What counts for every row where its own cell is empty. */
export type Common = Omit<TableCoupon, 'code' | 'pin' | 'description' | 'terms' | 'regions'>;

export const NO_COMMON: Common = {
  title: '',
  merchant: '',
  category: null,
  discountType: 'fixed',
  value: '',
  expiryDate: '',
  hasNoExpiry: false,
  askingPrice: '',
};

export function newRow(given: Partial<ReadCoupon & Pick<Row, 'draftId' | 'source'>> = {}): Row {
  return {
    coupon: BLANK_COUPON,
    doubts: {},
    refusals: {},
    picture: null,
    isCodeLost: false,
    deadCode: null,
    ...given,
    key: newClientKey(),
  };
}

/** The row with what somebody has typed, which ends the doubts and refusals about it. */
export function changed(row: Row, change: Partial<TableCoupon>): Row {
  const isDone = (field: string) =>
    field === '' || field in change || (field === 'value' && 'discountType' in change);
  const rest = <Texts extends object>(texts: Texts) =>
    Object.fromEntries(Object.entries(texts).filter(([field]) => !isDone(field))) as Texts;
  const hasOtherCode = 'code' in change || 'merchant' in change;
  return {
    ...row,
    isTyped: true,
    coupon: { ...row.coupon, ...change },
    doubts: rest(row.doubts),
    refusals: rest(row.refusals),
    picture: row.picture && { ...row.picture, hasCode: row.picture.hasCode && !('code' in change) },
    isCodeLost: row.isCodeLost && !('code' in change),
    deadCode: hasOtherCode ? null : row.deadCode,
  };
}

/** The form's values of a row: its own, those that all have in common, and texts made from them. */
export function valuesOf(
  { coupon, picture }: Pick<Row, 'coupon' | 'picture'>,
  common: Common,
): CouponFormValues {
  const hasOwnWorth = coupon.value.trim() !== '';
  const hasOwnEnd = coupon.expiryDate !== '' || coupon.hasNoExpiry;
  const worth = hasOwnWorth ? coupon : common;
  const end = hasOwnEnd ? coupon : common;
  const own = (field: 'title' | 'merchant') => coupon[field].trim() || common[field].trim();
  const merchant = own('merchant');
  const title = own('title') || titleFor(worth);
  const description = coupon.description.trim();
  return {
    ...EMPTY_COUPON,
    ...coupon,
    merchant,
    title,
    category: coupon.category ?? common.category,
    value: worth.value,
    discountType: worth.discountType,
    expiryDate: end.expiryDate,
    hasNoExpiry: end.hasNoExpiry,
    askingPrice: coupon.askingPrice.trim() || common.askingPrice,
    ...(picture && { [picture.kind === 'qrcode' ? 'qrCodeUrl' : 'barcodeUrl']: picture.url }),
    description: description.length < 10 && title && merchant ? describedAs(title, merchant) : description,
  };
}

/** '$10.00 CAD off', for a row without a title. */
function titleFor({ value, discountType }: Pick<TableCoupon, 'value' | 'discountType'>): string {
  const cents = typedCents(value);
  return cents ? t`${formatValue({ value: cents, discountType })} off` : '';
}

export type Errors = Partial<Record<Field | '', string>>;

/** What keeps a row from being listed, by field. */
export function errorsOf(row: Row, common: Common, now: Date): Errors {
  const values = valuesOf(row, common);
  const errors: Errors = { ...checkCoupon(values, now), ...row.refusals };
  const code = row.coupon.code.trim();
  if (row.isCodeLost) errors.code = t`Enter this code again. We did not keep it.`;
  const isShown = (text: string) => code.length > 3 && text.toLowerCase().includes(code.toLowerCase());
  for (const field of ['title', 'description', 'terms'] as const)
    if (isShown(values[field])) errors[field] = t`Everyone can read this. Leave out the code.`;
  // It is made from them.
  if (row.coupon.description.trim() === '' && (errors.title || errors.merchant)) delete errors.description;
  for (const [field, doubt] of Object.entries(row.doubts) as [Field, string][])
    if (errors[field]) errors[field] = doubt;
  return errors;
}

/** The codes that several rows have at one merchant, as `repeatOf` names them. */
export function repeatedCodes(rows: readonly Row[], common: Common): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const row of rows) {
    const name = repeatOf(row, common);
    if (name === null) continue;
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
  }
  return repeated;
}

export function repeatOf(row: Row, common: Common): string | null {
  const code = row.coupon.code.trim().toLowerCase();
  return code === '' ? null : `${valuesOf(row, common).merchant.toLowerCase()}\n${code}`;
}

/** What is sent for a row without errors. */
export function payloadOf(row: Row, common: Common): CouponPayload {
  const payload = { ...toPayload(valuesOf(row, common)), draftId: row.draftId };
  return row.deadCode === 'acknowledged' ? { ...payload, acknowledgeDeadCode: true } : payload;
}

/** Whether some row lacks what all could have in common. */
export function hasGaps(rows: readonly Row[]): boolean {
  return rows.some(({ coupon }) => {
    const { merchant, category, value, expiryDate, hasNoExpiry } = coupon;
    return merchant === '' || category === null || value === '' || (expiryDate === '' && !hasNoExpiry);
  });
}

/** What is kept over a reload: everything but codes, and doubts about them, which quote them. */
export function withoutCode(row: Row): Row {
  const { code, pin, ...doubts } = row.doubts;
  const { code: refusal, pin: pinRefusal, ...refusals } = row.refusals;
  return {
    ...row,
    coupon: { ...row.coupon, code: '', pin: '' },
    doubts,
    refusals,
    deadCode: null,
    // The server reads it in the picture again.
    isCodeLost:
      !row.picture?.hasCode &&
      (row.isCodeLost || row.coupon.code !== '' || code !== undefined || refusal !== undefined),
  };
}

/** Adds rows that were read. Rows whose codes were not kept get them back from those that say the same. */
export function joined(rows: readonly Row[], read: readonly Row[]): readonly Row[] {
  const added = [...read];
  const kept = rows.map((row) => {
    const same = row.isCodeLost ? added.find((other) => isSame(row, other)) : undefined;
    if (!same) return row;
    added.splice(added.indexOf(same), 1);
    return changed(row, { code: same.coupon.code, pin: same.coupon.pin });
  });
  return [...kept, ...added];
}

/** Whether it would be lost with this page: a draft that nobody has changed waits on the server. */
export function isUnsaved({ draftId, isTyped }: Row): boolean {
  return draftId === undefined || isTyped === true;
}

/** The rows with the drafts that wait: new ones are added, and those that have ended elsewhere go. */
export function withDrafts(rows: readonly Row[], drafts: readonly Draft[]): readonly Row[] {
  const waiting = new Map(drafts.map((draft) => [draft.id, draft]));
  const kept = rows.flatMap((row) => {
    if (row.draftId === undefined) return [row];
    const draft = waiting.get(row.draftId);
    waiting.delete(row.draftId);
    if (!draft) return [];
    return [row.isCodeLost ? changed(row, { code: draft.coupon.code, pin: draft.coupon.pin }) : row];
  });
  const added = [...waiting.values()].map(({ id, coupon, doubts, picture, from, subject }) =>
    newRow({ coupon, doubts, picture, draftId: id, source: [from, subject].filter(Boolean).join(': ') }),
  );
  return added.length === 0 && kept.length === rows.length && kept.every((row, at) => row === rows[at])
    ? rows
    : [...kept, ...added];
}

function isSame({ coupon: one }: Row, { coupon: other }: Row): boolean {
  return one.merchant === other.merchant && one.title === other.title && one.value === other.value;
}

const encoder = new TextEncoder();

/** As many whole lines of a text as one call may carry, and how many are left. */
export function fittingText(text: string): { readonly text: string; readonly linesLeft: number } {
  const lines = text.split(/\r\n?|\n/);
  let size = 0;
  const end = lines.findIndex((line) => {
    size += encoder.encode(JSON.stringify(line)).length;
    return size > TABLE_TEXT_MAX;
  });
  if (end === -1) return { text, linesLeft: 0 };
  return { text: lines.slice(0, end).join('\n'), linesLeft: lines.length - end };
}

/** A table to begin with. */
export const TEMPLATE = [
  'Merchant,Title,Value,Category,Expires,Code,Asking price,Description,Terms',
  `Corner Coffee,Two coffees for one,$4.50,${CATEGORIES[0]},2027-12-31,LATTE-1,,Valid at every branch.,`,
  `Shear Joy,A fifth off any haircut,20%,${CATEGORIES[4]},never,SHEAR-20,8.00,Any cut on any day but Sunday.,By appointment`,
].join('\r\n');
