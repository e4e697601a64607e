import {
  CODE_MAX,
  DESCRIPTION_MAX,
  MERCHANT_MAX,
  TERMS_MAX,
  TITLE_MAX,
  URL_MAX,
} from '#contract/coupon-facts.ts';
import type { FeedOffer } from '#contract/discover.ts';
import type { Currency } from '#contract/money.ts';
import { readDay, readEndTime, splitPeriod } from './dates.ts';
import { readWorth } from './money.ts';
import { type Aliases, COMMON_FIELDS, FIELDS, type Field } from './presets.ts';
import { type FeedRecord, pathKeys, textOf, valueAt } from './record.ts';
import { readRegions } from './regions.ts';
import { forShoppers, namedCode } from './shop-words.ts';
import { plainText, shortened } from './text.ts';
import { readTitleWorth } from './title-worth.ts';

export interface Mapping {
  /** Where to look for each field, in order. */
  readonly paths: ReadonlyMap<Field, readonly (readonly string[])[]>;
  /** Set for a feed of one shop. */
  readonly merchant: string | null;
  /** For amounts without a currency. */
  readonly currency: Currency | null;
  /** If true, 03/04/2030 is in April. */
  readonly isDayFirst: boolean;
}

/** The paths of each field: from the first of `layers` that names it, else the common ones. */
export function fieldPaths(...layers: readonly Aliases[]): Mapping['paths'] {
  return new Map(
    FIELDS.map((field) => {
      const layer = layers.find((aliases) => aliases[field]);
      return [field, (layer?.[field] ?? COMMON_FIELDS[field]).map(pathKeys)];
    }),
  );
}

const DEAD_STATUSES = /^(?:deleted|suspended|expired|inactive|disabled|paused|deactivated|rejected|ended)$/i;

/** What networks write in place of a code. */
const NO_CODE = new RegExp(
  [
    '^(?:n/?a|none|null|nil|undefined|unknown|tbd|tba|void|-+)$',
    '^(?:no|not|without)\\b.*\\b(?:code|coupon|voucher|needed|required|necessary|applicable|available)\\b',
    '\\b(?:code|coupon|voucher)\\b.*\\b(?:not|un|isn.t)\\s*(?:needed|required|necessary|available)\\b',
    '^(?:see|visit|check|click|get|activate|shop|view)\\s',
    '\\bauto(?:matic(?:ally)?)?[\\s-]+appl(?:y|ied|ies)\\b|\\bapplied (?:auto|at checkout)|^automatic(?:ally)?$',
  ].join('|'),
  'i',
);

/** A row as an offer, or the problem with it, in words without the code. Does not check whether it has expired. */
export function readOffer(record: FeedRecord, mapping: Mapping): FeedOffer | { readonly problem: string } {
  const raw = (field: Field) => firstText(record, mapping.paths.get(field) ?? []);
  const plain = (field: Field) => plainText(raw(field));

  const [title, description, terms] = [plain('title'), forShoppers(plain('description')), plain('terms')];
  const code = plain('code') || (namedCode(title, description, terms) ?? '');
  if (code === '' || NO_CODE.test(code) || !/[\p{L}\p{N}]/u.test(code)) return { problem: 'It has no code' };
  if (code.length > CODE_MAX) return { problem: `Its code is longer than ${CODE_MAX} characters` };
  const status = raw('status');
  if (DEAD_STATUSES.test(status)) return { problem: `Its status is ${status.toLowerCase()}` };
  const merchant = plain('merchant') || mapping.merchant;
  if (!merchant) return { problem: 'It names no merchant' };
  if (merchant.length > MERCHANT_MAX)
    return { problem: `Its merchant's name is longer than ${MERCHANT_MAX} characters` };
  if (!title && !description) return { problem: 'It has neither a title nor a description' };

  const [periodStart, periodEnd] = splitPeriod(raw('period'));
  const startDate = readDay(raw('start') || periodStart, mapping.isDayFirst);
  if (startDate === 'unreadable') return { problem: 'Its first day is not a date' };
  const end = raw('end') || periodEnd;
  const expiryDate = readDay(end, mapping.isDayFirst);
  if (expiryDate === 'unreadable') return { problem: 'Its last day is not a date' };

  const worth = readWorth(
    {
      percentOff: raw('percentOff'),
      amountOff: raw('amountOff'),
      discount: raw('discount'),
      discountType: raw('discountType'),
      currency: raw('currency'),
    },
    mapping.currency,
  );
  const readFromTitle = worth ? null : readTitleWorth(title || description, mapping.currency);
  const { value, discountType } = worth ?? readFromTitle ?? { value: null, discountType: null };
  return {
    merchant,
    code,
    title: shortened(title || description, TITLE_MAX),
    description: shortened(description || title, DESCRIPTION_MAX),
    value,
    discountType,
    isValueRead: readFromTitle !== null,
    startDate,
    expiryDate,
    endTime: readEndTime(end, mapping.isDayFirst),
    regions: readRegions(firstValue(record, mapping.paths.get('regions') ?? [])),
    terms: shortened(forShoppers(terms), TERMS_MAX) || null,
    sourceUrl: webAddress(raw('url')),
    // Pictures are fetched over HTTPS only, and most hosts that list http:// addresses answer there too.
    imageUrl: webAddress(raw('image').replace(/^http:/i, 'https:')),
  };
}

/** The first value that is there. */
function firstValue(record: FeedRecord, paths: readonly (readonly string[])[]): unknown {
  return paths.map((path) => valueAt(record, path)).find((value) => value !== undefined && value !== '');
}

function firstText(record: FeedRecord, paths: readonly (readonly string[])[]): string {
  for (const path of paths) {
    const text = textOf(valueAt(record, path));
    if (text !== '') return text;
  }
  return '';
}

/** A web address that is safe to link to, or null: an offer is useful without one. */
function webAddress(text: string): string | null {
  if (text.length > URL_MAX || !URL.canParse(text)) return null;
  const url = new URL(text);
  const isPlain = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isPlain && url.href.length <= URL_MAX ? url.href : null;
}
