import type { Currency } from '#contract/base/money.ts';
import {
  CODE_MAX,
  DESCRIPTION_MAX,
  MERCHANT_MAX,
  TERMS_MAX,
  TITLE_MAX,
  URL_MAX,
} from '#contract/coupons/limits.ts';
import { readCode } from './codes.ts';
import { splitPeriod } from './dates.ts';
import type { UndatedOffer } from './dating.ts';
import { readWorth } from './money.ts';
import { type Aliases, COMMON_FIELDS, FIELDS, type Field } from './presets.ts';
import { type FeedRecord, pathKeys, textOf, textsAt, valueAt } from './record.ts';
import { readRegions } from './regions.ts';
import { forShoppers } from './shop-words.ts';
import { decodedValue, plainText, shortened } from './text.ts';
import { readTitleWorth } from './title-worth.ts';

export interface Mapping {
  /** Where to look for each field, in order. */
  readonly paths: ReadonlyMap<Field, readonly (readonly string[])[]>;
  /** Set for a feed of one shop. */
  readonly merchant: string | null;
  /** For amounts without a currency. */
  readonly currency: Currency | null;
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

/** Whether a record has a code beside words about it: the status of an answer may be a code, too. */
export function isOffer(record: FeedRecord, { paths }: Mapping): boolean {
  const has = (field: Field) => firstTexts(record, paths.get(field) ?? []).length > 0;
  return has('code') && (has('title') || has('description') || has('merchant'));
}

/** A row as an offer whose dates are still to be read, or the problem with it, in words without the code. */
export function readOffer(record: FeedRecord, mapping: Mapping): UndatedOffer | { readonly problem: string } {
  const text = (field: Field) => firstText(record, mapping.paths.get(field) ?? []);
  const raw = (field: Field) => decodedValue(text(field));
  const plain = (field: Field) => plainText(text(field));

  const [title, description, terms] = [plain('title'), forShoppers(plain('description')), plain('terms')];
  const read = readCode(firstTexts(record, mapping.paths.get('code') ?? []), [title, description, terms]);
  if ('problem' in read) return read;
  const { code } = read;
  if (code.length > CODE_MAX) return { problem: `Its code is longer than ${CODE_MAX} characters` };
  const status = raw('status');
  if (DEAD_STATUSES.test(status)) return { problem: `Its status is ${status.toLowerCase()}` };
  const merchant = plain('merchant') || mapping.merchant;
  if (!merchant) return { problem: 'It names no merchant' };
  if (merchant.length > MERCHANT_MAX)
    return { problem: `Its merchant's name is longer than ${MERCHANT_MAX} characters` };
  if (!title && !description) return { problem: 'It has neither a title nor a description' };

  const [periodStart, periodEnd] = splitPeriod(raw('period'));
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
  const offer = {
    merchant,
    code,
    title: shortened(title || description, TITLE_MAX),
    description: shortened(description || title, DESCRIPTION_MAX),
    value,
    discountType,
    isValueRead: readFromTitle !== null,
    regions: readRegions(firstValue(record, mapping.paths.get('regions') ?? [])),
    terms: shortened(forShoppers(terms), TERMS_MAX) || null,
    sourceUrl: webAddress(raw('url')),
    // Pictures are fetched over HTTPS only, and most hosts that list http:// addresses answer there too.
    imageUrl: webAddress(raw('image').replace(/^http:/i, 'https:')),
  };
  return { offer, start: raw('start') || periodStart, end: raw('end') || periodEnd };
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

/** All texts at the first of the paths that has any. */
function firstTexts(record: FeedRecord, paths: readonly (readonly string[])[]): readonly string[] {
  return paths.map((path) => textsAt(record, path)).find((texts) => texts.length > 0) ?? [];
}

/** A web address that is safe to link to, or null: an offer is useful without one. */
function webAddress(text: string): string | null {
  if (text.length > URL_MAX || !URL.canParse(text)) return null;
  const url = new URL(text);
  const isPlain = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isPlain && url.href.length <= URL_MAX ? url.href : null;
}
