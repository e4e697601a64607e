import { createReadStream } from 'node:fs';
import type { Context } from '#server/domains/context.ts';
import { type ImportTotals, importFeed } from '#server/domains/discover/importing.ts';
import { readRows } from '#server/providers/feeds/rows.ts';

/** Under what name the offers of Discover's demo are kept. */
const DEMO_FEED = 'demo';

/** Public offers of invented shops, some of them over, for a Discover page that is not empty. */
export function importDemoFeed(ctx: Context): Promise<ImportTotals> {
  const file = createReadStream(new URL('feed.csv', import.meta.url));
  return importFeed(ctx, { name: DEMO_FEED, rows: readRows(file, { format: 'csv' }) });
}
