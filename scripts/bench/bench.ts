import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger } from '#server/core/log.ts';
import { openTemporaryDatabase } from '#server/database/temporary.ts';
import manifest from '../../package.json' with { type: 'json' };
import { buildServer, bundlePrograms } from '../build/build-server.ts';
import { ACTS, fillDeals, RECORDED_DEAL, requestOf } from './deals.ts';
import { type JobRow, measureJobs } from './jobs.ts';
import { type Cost, dealsPerSecond, medianLatency, throughput } from './load.ts';
import { fillMarket } from './market.ts';
import { addressOf, MEASURES } from './measures.ts';
import { type MixFindings, measureMix, mixOf } from './mix.ts';
import { askByPgbench } from './pgbench.ts';
import { freePort, openProcessorClock, type Running, run } from './processes.ts';
import { recordActs, recordStatements } from './recording.ts';
import { fillTrade } from './trade.ts';
import { measureWorkers, type WorkerRow } from './workers.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** The arguments with which `npm start` runs the product. */
const PRODUCT = manifest.scripts.start.split(' ').slice(1);
const BARE = path.join(ROOT, 'dist/bench/bare.js');
export const APIS = ['REST', 'tRPC'] as const;

export interface BenchOptions {
  /** Numbers of coupons, rising. */
  readonly sizes: readonly number[];
  /** Of each turn. */
  readonly milliseconds: number;
  readonly rounds: number;
  readonly onProgress?: (text: string) => void;
}

/** What a request costs in ClipSwap, in the bare server by each way to send a statement, and without any server. */
interface Costs {
  readonly own: Cost;
  readonly plain: Cost;
  readonly named: Cost;
  readonly 'postgres.js': Cost;
  /** Processor microseconds of PostgreSQL alone; null where its load program is not installed. */
  readonly pgbench: number | null;
}

/** What was measured of one call. */
interface Row {
  readonly name: string;
  readonly api: (typeof APIS)[number];
  readonly goal: number;
  readonly goalOfNamed: number;
  readonly flatness: number;
  /** By size, in the order of `sizes`. */
  readonly sizes: readonly {
    readonly size: number;
    readonly costs: Costs;
    readonly medianMs: number;
  }[];
}

export interface Findings {
  readonly rows: readonly Row[];
  /** Deals that are accepted and completed in a second, of those that the bare server does. */
  readonly shareOfDeals: number;
  /** Of the product's process; null where the system does not tell. */
  readonly startSeconds: number | null;
  readonly idleMb: number | null;
  readonly loadedMb: number | null;
}

/**
 * Measures the product against a bare Fastify and pg that sends the same statements: both on this machine, in turns, so
 * that only ratios count. Everything it needs is temporary.
 */
export async function bench({ sizes, milliseconds, rounds, onProgress }: BenchOptions): Promise<Findings> {
  await bundlePrograms({ bare: path.join(ROOT, 'scripts/bench/bare.ts') }, path.dirname(BARE));
  return withMarket(async (market) => {
    const { settings, databaseUrl, folder, running } = market;
    const port = Number(settings.PORT);
    const spent = await openProcessorClock(databaseUrl);
    const rows: { -readonly [Key in keyof Row]: Key extends 'sizes' ? Row['sizes'][number][] : Row[Key] }[] =
      APIS.flatMap((api) =>
        MEASURES.map(({ name, goal, goalOfNamed, flatness }) => ({
          ...{ name, api, goal, goalOfNamed, flatness },
          sizes: [],
        })),
      );
    let startSeconds: number | null = null;
    let idleMb: number | null = null;
    let loadedMb: number | null = null;
    for (const size of sizes) {
      onProgress?.(`${size.toLocaleString('en')} coupons`);
      await fillMarket(databaseUrl, size);
      const addresses = APIS.flatMap((api) => MEASURES.map((measure) => addressOf(measure, api)));
      const file = path.join(folder, 'statements.json');
      const statements = await recordStatements(settings, addresses);
      writeFileSync(file, JSON.stringify(statements));
      const barePort = await freePort();
      const product = await run(port, PRODUCT, '/readyz', settings);
      running.push(product);
      const bare = await run(barePort, [BARE, String(barePort), databaseUrl, file], `/plain${addresses[0]}`);
      running.push(bare);
      startSeconds = product.startSeconds;
      idleMb ??= product.memory();
      for (const [at, row] of rows.entries()) {
        const address = addresses[at] ?? '';
        const targets = [
          product.url,
          `${bare.url}/plain`,
          `${bare.url}/named`,
          `${bare.url}/postgres.js`,
        ].map((server, nth) => ({
          url: server + address,
          spent: () => spent(nth === 0 ? product.pid : bare.pid),
        }));
        const asked = await throughput(targets, { connections: 8, milliseconds, rounds });
        const [own, plain, named, other] = asked as [Cost, Cost, Cost, Cost];
        const pgbench = askByPgbench(statements[address] ?? [], {
          ...{ databaseUrl, folder, spent: () => spent(product.pid) },
          seconds: Math.ceil(milliseconds / 1_000),
        });
        const medianMs = await medianLatency(product.url + address, 50 * rounds);
        row.sizes.push({ size, costs: { own, plain, named, 'postgres.js': other, pgbench }, medianMs });
        onProgress?.(`  ${row.api} ${row.name}: ${(own.perSecond / plain.perSecond).toFixed(2)}`);
      }
      loadedMb = product.memory();
      for (const server of running.splice(0)) await server.stop();
    }
    onProgress?.('accept and complete');
    const shareOfDeals = await compareDeals(market, rounds);
    return { rows, shareOfDeals, startSeconds, idleMb, loadedMb };
  });
}

/** Of each turn. */
const DEALS = 100;

async function compareDeals(
  { settings, databaseUrl, folder, running }: Market,
  rounds: number,
): Promise<number> {
  await fillDeals(databaseUrl, RECORDED_DEAL + 2 * DEALS * (rounds + 1));
  const file = path.join(folder, 'acts.json');
  writeFileSync(file, JSON.stringify(await recordActs(settings)));
  const product = await run(Number(settings.PORT), PRODUCT, '/readyz', settings);
  running.push(product);
  const barePort = await freePort();
  const bare = await run(barePort, [BARE, String(barePort), databaseUrl, file], '/');
  running.push(bare);
  const first = RECORDED_DEAL + 1;
  const [own = 0, plain = 0] = await dealsPerSecond(
    [
      (deal) =>
        ACTS.map((act) => {
          const request = requestOf(act, deal);
          return { ...request, url: product.url + request.url };
        }),
      (deal) => ACTS.map((act) => ({ url: `${bare.url}/${act}/${deal}` })),
    ],
    { connections: 4, deals: DEALS, rounds, first },
  );
  return own / plain;
}

/** Measures what a request costs with these numbers of processes, which share the machine with the load. */
export async function benchWorkers(
  given: { readonly workers: readonly number[]; readonly size: number } & Pick<
    BenchOptions,
    'milliseconds' | 'rounds'
  >,
): Promise<WorkerRow[]> {
  return withMarket(async ({ settings, databaseUrl, running }) => {
    await fillMarket(databaseUrl, given.size);
    return measureWorkers(PRODUCT, settings, running, given);
  });
}

/** Whose people bid and write. */
const MIX_DEALS = 2_000;

/** Measures what each job takes, or what people do at once while all jobs run, or both, in one market with its trade. */
export async function benchTrade(
  given: { size: number; jobs: boolean; mixMilliseconds: number | null } & Pick<BenchOptions, 'onProgress'>,
): Promise<{ readonly jobs: readonly JobRow[] | null; readonly mix: MixFindings | null }> {
  const { size, onProgress } = given;
  return withMarket(async ({ settings, databaseUrl, running }) => {
    // An owner for ten coupons.
    await fillMarket(databaseUrl, size, Math.ceil(size / 10));
    await fillTrade(databaseUrl);
    await fillDeals(databaseUrl, MIX_DEALS);
    onProgress?.(`a market of ${size.toLocaleString('en')} coupons is filled`);
    const program = { ...settings, DATABASE_URL: databaseUrl };
    const jobs = given.jobs ? await measureJobs(program, { onProgress }) : null;
    if (given.mixMilliseconds === null) return { jobs, mix: null };
    const product = await run(Number(settings.PORT), PRODUCT, '/readyz', settings);
    running.push(product);
    return { jobs, mix: await measureMix(product.url, mixOf(size, MIX_DEALS), given.mixMilliseconds) };
  });
}

interface Market {
  /** Of a program on the market's database, which is migrated. */
  readonly settings: Record<string, string> & { readonly PORT: string };
  readonly databaseUrl: string;
  readonly folder: string;
  /** What it has started; stopped when the work is over. */
  readonly running: Running[];
}

/** Runs `work` with the built product and a database for it, which is removed afterwards. */
async function withMarket<Result>(work: (market: Market) => Promise<Result>): Promise<Result> {
  await buildServer();
  const log = createLogger({ logLevel: 'warn', isProduction: true });
  const database = await openTemporaryDatabase(process.env.TEST_DATABASE_URL, log);
  const folder = mkdtempSync(path.join(tmpdir(), 'clipswap-bench-'));
  const running: Running[] = [];
  try {
    const settings = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://bench.example',
      DATABASE_URL: database.url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      DATA_DIR: folder,
      FILES_DIR: folder,
      LOG_LEVEL: 'warn',
      PORT: String(await freePort()),
    };
    // The first start migrates.
    await (await run(Number(settings.PORT), PRODUCT, '/readyz', settings)).stop();
    return await work({ settings, databaseUrl: database.url, folder, running });
  } finally {
    for (const server of running) await server.stop();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
