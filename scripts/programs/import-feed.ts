/**
 * `npm run import-feed -- FILE --name NAME`: imports a file of offers. It replaces the earlier import of that name.
 * Prints each refused row with the reason; exits with 1 when the file cannot be read.
 */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { MultiBar, Presets } from 'cli-progress';
import { z } from 'zod';
import { loadConfig } from '#server/core/config.ts';
import { createLogger } from '#server/core/log.ts';
import { unlimited } from '#server/core/rate-limit.ts';
import { importFeed } from '#server/coupons/discover/service.ts';
import { openProgram } from '#server/program.ts';
import { formatOf, readRows } from '#server/readers/feeds/rows.ts';
import { readingSchema } from '#server/readers/feeds/settings.ts';

const USAGE = `Usage: npm run import-feed -- FILE --name NAME
  --format csv|tsv|json|xml|html  where the file's name does not say it
  --network awin|rakuten|cj|…     whose names the fields have
  --merchant NAME                 of a feed that is one shop's own
  --currency CAD|USD|…            of amounts that name none
  --charset utf-8|windows-1252|…  of a text whose first bytes do not say it
  --dates day-first|month-first   how 03/04/2030 is read, where its rows do not say it`;

const DATES: Record<string, boolean> = { 'day-first': true, 'month-first': false };

/** Rows between two lines of progress, when the output is no terminal. */
const ROWS_PER_LINE = 10_000;

/** @throws Error with the usage */
export function readArguments(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      format: { type: 'string' },
      network: { type: 'string' },
      merchant: { type: 'string' },
      currency: { type: 'string' },
      charset: { type: 'string' },
      dates: { type: 'string' },
    },
  });
  const { name, dates, ...reading } = values;
  const [file, ...others] = positionals;
  if (!file || !name || others.length > 0) throw new Error(`Give a file and a name\n${USAGE}`);
  const isDayFirst = dates === undefined ? undefined : DATES[dates];
  if (dates !== undefined && isDayFirst === undefined)
    throw new Error(`--dates: give day-first or month-first\n${USAGE}`);
  const parsed = readingSchema.safeParse({
    ...reading,
    isDayFirst,
    format: reading.format ?? formatOf(file),
  });
  if (!parsed.success)
    throw new Error(
      `${parsed.error.issues.map(({ path, message }) => `--${path}: ${message}`).join('\n')}\n${USAGE}`,
    );
  return { file, name: z.string().trim().min(1).max(80).parse(name), reading: parsed.data };
}

/** Shows the progress: a bar in a terminal, else a line now and then. */
function createProgress(bytes: number) {
  if (!process.stderr.isTTY) {
    let told = 0;
    return {
      show(_bytesRead: number, rows: number) {
        if (rows - told < ROWS_PER_LINE) return;
        told = rows;
        console.error(`${rows} rows …`);
      },
      tell: (line: string) => console.error(line),
      stop: () => {},
    };
  }
  const bars = new MultiBar(
    { format: '{bar} {percentage} % | {rows} rows', hideCursor: true },
    Presets.shades_classic,
  );
  const bar = bars.create(Math.max(bytes, 1), 0, { rows: 0 });
  return {
    show: (bytesRead: number, rows: number) => bar.update(bytesRead, { rows }),
    tell: (line: string) => bars.log(`${line}\n`),
    stop: () => bars.stop(),
  };
}

async function run(): Promise<void> {
  const { file, name, reading } = readArguments(process.argv.slice(2));
  const { size } = await stat(file);
  const config = loadConfig();
  const program = await openProgram(config, createLogger({ ...config, logLevel: 'warn' }));
  const progress = createProgress(size);
  try {
    const source = createReadStream(file);
    const unit = reading.format === 'csv' || reading.format === 'tsv' ? 'line' : 'row';
    const ctx = { ...program.deps, limiter: unlimited, actor: null, ip: 'import-feed', userAgent: '' };
    const totals = await importFeed(ctx, {
      name,
      rows: readRows(source, reading),
      onProgress: (rows) => progress.show(source.bytesRead, rows),
      onRefused: (line, reason) => progress.tell(`${unit} ${line}: ${reason}`),
    });
    progress.stop();
    const { added, changed, unchanged, refused, removed } = totals;
    console.log(
      `${name}: ${added} added, ${changed} changed, ${unchanged} unchanged, ${refused} refused, ${removed} removed.`,
    );
  } finally {
    progress.stop();
    await program.close();
  }
}

if (process.argv[1] === import.meta.filename) {
  run().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
}
