import { readCsv } from './csv.ts';
import type { DateOrder } from './dates.ts';
import { decideDates, type UndatedRow } from './dating.ts';
import { decodeText } from './decoding.ts';
import { atMost, MAX_DOCUMENT_BYTES, readHtml, readJson, readXml } from './documents.ts';
import { FeedRefusal, type FeedRow } from './feeds.ts';
import { fieldPaths, isOffer, type Mapping, readOffer } from './offer.ts';
import { type Aliases, type Network, PRESETS } from './presets.ts';
import type { FeedRecord, ParsedRow } from './record.ts';
import type { FeedFormat, FeedReading } from './settings.ts';

/** JSON-LD's names, beside the common ones. */
const LINKED_FIELDS: Aliases = {
  merchant: [
    'seller.name',
    'offeredBy.name',
    'seller',
    'offeredBy',
    'merchant.name',
    'merchant',
    'brand.name',
  ],
  code: ['discountCode', 'couponCode', 'promoCode', 'voucherCode', 'code'],
};

/**
 * Reads the offers of a feed's text one by one, with the problems of the other rows.
 * @throws FeedRefusal, while reading, when the text does not have the format
 */
export function readRows(chunks: AsyncIterable<Uint8Array>, reading: FeedReading): AsyncGenerator<FeedRow> {
  return decideDates(readUndated(chunks, reading), orderOf(reading));
}

/** The order of day and month that the settings or the network state; null: the rows decide. */
export function orderOf({ isDayFirst, network }: FeedReading): DateOrder | null {
  const stated = isDayFirst ?? (network ? PRESETS[network].isDayFirst : undefined);
  return stated === undefined ? null : stated ? 'dayFirst' : 'monthFirst';
}

/** The same rows before their dates are read, which all pages of a feed decide together. @throws FeedRefusal */
export async function* readUndated(
  chunks: AsyncIterable<Uint8Array>,
  reading: FeedReading,
): AsyncGenerator<UndatedRow> {
  const mapping = mappingOf(reading);
  for await (const row of parse(chunks, reading, mapping)) {
    if ('problem' in row) {
      yield row;
      continue;
    }
    const offer = readOffer(row.record, mapping);
    yield { line: row.line, ...offer };
  }
}

function mappingOf(reading: FeedReading): Mapping {
  const network = reading.network ? PRESETS[reading.network].fields : {};
  const linked = reading.format === 'html' ? LINKED_FIELDS : {};
  return {
    paths: fieldPaths(reading.fields ?? {}, network, linked),
    merchant: reading.merchant ?? null,
    currency: reading.currency ?? null,
  };
}

async function* parse(
  chunks: AsyncIterable<Uint8Array>,
  reading: FeedReading,
  mapping: Mapping,
): AsyncGenerator<ParsedRow> {
  const { format, network, charset } = reading;
  if (format === 'csv' || format === 'tsv') {
    yield* readCsv(decodeText(chunks, charset), format === 'tsv' ? '\t' : null);
    return;
  }
  const pieces: string[] = [];
  for await (const piece of decodeText(atMost(chunks, MAX_DOCUMENT_BYTES[format]), charset))
    pieces.push(piece);
  const text = pieces.join('');
  const lists = reading.list ? [reading.list] : listsOf(network);
  const place = { lists, isOffer: (record: FeedRecord) => isOffer(record, mapping) };
  if (format === 'json') yield* readJson(text, place);
  else if (format === 'xml') yield* readXml(text, place);
  else yield* readHtml(text);
}

function listsOf(network: Network | undefined): readonly string[] {
  return network ? PRESETS[network].lists : [];
}

/** The format for a file's extension. @throws FeedRefusal */
export function formatOf(file: string): FeedFormat {
  const ending = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase();
  const format = ENDINGS[ending ?? ''];
  if (!format) throw new FeedRefusal('Its name does not say what format it has: give it with --format.');
  return format;
}

const ENDINGS: Record<string, FeedFormat> = {
  csv: 'csv',
  txt: 'csv',
  tsv: 'tsv',
  json: 'json',
  xml: 'xml',
  html: 'html',
  htm: 'html',
};
