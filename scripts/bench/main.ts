import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { weighHome } from '../build/page-weight.ts';
import { bench, benchTrade, benchWorkers, type Findings } from './bench.ts';
import type { JobRow } from './jobs.ts';
import type { Cost } from './load.ts';
import type { MixFindings } from './mix.ts';
import { pageTimes } from './page-times.ts';

/**
 * `npm run bench`: measures lists and pages, prints a table, and writes it to docs/performance.md. In a market of the largest of
 * the sizes, `-- jobs` does the same for the jobs, `-- mix` for what people do at once, for `--minutes`, and `-- jobs mix` for both.
 * With `-- --workers 1,2` it prints what a request costs with one and with two processes instead. With `-- --before <folder>` it
 * prints how soon pages are there on a slow phone, in this release and in the built one of that folder.
 */
const ROOT = path.resolve(import.meta.dirname, '../..');
/** The sections of the document, in their order. */
const SECTIONS = ['Lists and pages', 'Jobs', 'People at once'] as const;
/** What a person asks for on a day with a visit, and the part of a day's visits that come in its busiest hour. */
const REQUESTS_A_DAY = 40;
const BUSIEST_HOUR = 0.1;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sizes: { type: 'string', default: '10000,100000,1000000' },
    milliseconds: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '10' },
    workers: { type: 'string' },
    before: { type: 'string' },
  },
});
const sizes = values.sizes.split(',').map(Number);
const milliseconds = Number(values.milliseconds);
const rounds = Number(values.rounds);
if (values.before) {
  console.table(await pageTimes([values.before, '.'], { rounds }));
} else if (values.workers) {
  const workers = values.workers.split(',').map(Number);
  const rows = await benchWorkers({ workers, size: Math.max(...sizes), milliseconds, rounds });
  console.table(
    rows.map(({ name, workers, perSecond, ...cost }) => ({
      ...{ name, workers, perSecond: Math.round(perSecond), ...cost },
    })),
  );
} else if (positionals.length > 0) {
  const [size, minutes] = [Math.max(...sizes), Number(values.minutes)];
  const mixMilliseconds = positionals.includes('mix') ? 60_000 * minutes : null;
  const isOfJobs = positionals.includes('jobs');
  const { jobs, mix } = await benchTrade({ size, jobs: isOfJobs, mixMilliseconds, onProgress: console.log });
  if (jobs) writeSection('Jobs', jobsToMarkdown(size, jobs));
  if (mix) writeSection('People at once', mixToMarkdown(size, minutes, mix));
} else {
  const findings = await bench({ sizes, milliseconds, rounds, onProgress: console.log });
  writeSection('Lists and pages', toMarkdown(findings, weighHome(path.join(ROOT, 'dist/web')).scriptBytes));
}

/** Prints a section of docs/performance.md and puts it in the place of the old one. */
function writeSection(title: (typeof SECTIONS)[number], text: string): void {
  console.log(text);
  const file = path.join(ROOT, 'docs/performance.md');
  const [head = '', ...sections] = readFileSync(file, 'utf8').split(/^(?=## )/m);
  const others = sections.filter((one) => !one.startsWith(`## ${title}\n`)).map((one) => one.trimEnd());
  const all = [...others, `## ${title}\n\n${text.trimEnd()}`];
  const ordered = SECTIONS.flatMap((name) => all.filter((one) => one.startsWith(`## ${name}\n`)));
  writeFileSync(file, `${[head.trimEnd(), ...ordered].join('\n\n')}\n`);
}

function mixToMarkdown(size: number, minutes: number, { capacity, rows }: MixFindings): string {
  const lines = rows.map(({ name, share, answers, refused, p50, p99, p999 }) => {
    const times = [p50, p99, p999].map((time) => time.toFixed(1));
    return `| ${[share, name, answers, refused, ...times].join(' | ')} |`;
  });
  const people = ((capacity / 2) * 3_600) / BUSIEST_HOUR / REQUESTS_A_DAY;
  return `In a market of ${size.toLocaleString('en')} coupons with its trade, with all jobs running, this machine answers ${capacity.toFixed(0)} of these requests in a
second at most; the load shares its cores. For ${minutes} minutes it was asked for half of that, whether or not it had answered. That
is what ${people.toLocaleString('en', { maximumSignificantDigits: 2 })} people a day ask for in the busiest hour, when each makes ${REQUESTS_A_DAY} requests and a tenth of them come in that hour.

| of a hundred | request | answers | refused | p50, ms | p99, ms | p99.9, ms |
| --- | --- | --- | --- | --- | --- | --- |
${lines.join('\n')}
`;
}

function jobsToMarkdown(size: number, rows: readonly JobRow[]): string {
  const lines = rows.map(({ name, first, again }) => {
    const cells = [first.seconds, again.seconds, first.longestSeconds].map((seconds) => seconds.toFixed(1));
    const counts = [first.blocks, again.blocks, first.logKb, first.memoryMb].map((count) =>
      Math.round(count),
    );
    const slowdowns = [first.slowdown, again.slowdown].map((times) => times?.toFixed(1) ?? '–');
    return `| ${[name, ...cells, ...counts, ...slowdowns].join(' | ')} |`;
  });
  const head = [
    ...['job', 's', 's again', 'longest transaction, s', 'blocks', 'blocks again', 'log, kB', 'memory, MB'],
    ...['p99 of the newest page', 'again'],
  ];
  return `Each job runs twice in a market of ${size.toLocaleString('en')} coupons, a tenth as many people, three tenths as many swaps, a tenth
as many sales and a chain for each coupon: when no job has seen it yet, and again. Meanwhile the same process answers the
newest page, one time after the other. The last columns say how many times as slow the slowest of a hundred answers is as
without the job. What takes no second has nothing to do in a market that was filled just before.

| ${head.join(' | ')} |
|${head.map(() => ' --- ').join('|')}|
${lines.join('\n')}
`;
}

function toMarkdown(
  { rows, shareOfDeals, startSeconds, idleMb, loadedMb }: Findings,
  scriptBytes: number,
): string {
  const [least = 0, most = 0] = [Math.min(...sizes), Math.max(...sizes)];
  const number = (value: number | null, digits = 0) => (value === null ? '–' : value.toFixed(digits));
  const lines = rows.map(({ name, api, goal, goalOfNamed, flatness, sizes: found }) => {
    const times = found.map(({ medianMs }) => medianMs);
    const growth = (times.at(-1) ?? 0) / (times[0] ?? 0);
    const shares = found.map(({ costs }) => {
      const of = (other: Cost) => (costs.own.perSecond / other.perSecond).toFixed(2);
      return `${of(costs.plain)} (${of(costs.named)})`;
    });
    const cells = [
      name,
      api,
      ...shares,
      `>= ${goal} (${goalOfNamed})`,
      ...times.map((time) => time.toFixed(1)),
    ];
    return `| ${[...cells, growth.toFixed(2), `<= ${flatness}`].join(' | ')} |`;
  });
  const ways = ['own', 'plain', 'named', 'postgres.js'] as const;
  const micros = (value: number | null | undefined) => number(value ?? null);
  const costLines = rows.map(({ name, api, sizes: found }) => {
    const costs = found.at(-1)?.costs;
    const cells = ways.map((way) => {
      const cost = costs?.[way];
      return `${micros(cost?.appMicros)} + ${micros(cost?.databaseMicros)}`;
    });
    return `| ${[name, api, ...cells, micros(costs?.pgbench)].join(' | ')} |`;
  });
  const of = (what: string) => sizes.map((size) => `${what} at ${size.toLocaleString('en')}`);
  const head = [
    'call',
    'API',
    ...of('share'),
    'goal',
    ...of('ms'),
    `${most / least} times the coupons`,
    'goal',
  ];
  return `\`npm run bench\` seeds a market, runs ClipSwap and a bare server in turns on one machine, and asks both over 8
connections. The bare server is Fastify and pg with nothing but the statements that ClipSwap sends for the
same call.

- **share**: ClipSwap's requests per second divided by the bare server's; in brackets, by the bare server's with prepared
  statements. The load, both servers and the database share the machine's cores, so only ratios count, and differences
  under a quarter mean nothing.
- **ms**: the median of ClipSwap's answers, asked one after the other, and how many times as long it takes with
  ${most / least} times the coupons.

| ${head.join(' | ')} |
|${head.map(() => ' --- ').join('|')}|
${lines.join('\n')}

Processor time of a request at ${most.toLocaleString('en')} coupons, in microseconds, of the program and of PostgreSQL: ClipSwap, the bare server,
the bare server with prepared statements, the same with postgres.js in place of pg, and PostgreSQL’s own \`pgbench -M prepared\`
in place of any server, which is what these statements cost at the least.

| call | API | ClipSwap | bare | prepared | postgres.js | pgbench |
| --- | --- | --- | --- | --- | --- | --- |
${costLines.join('\n')}

| measure | found | goal |
| --- | --- | --- |
| share of exchanges accepted and completed | ${number(shareOfDeals, 2)} | >= 0.6 |
| memory of the process, idle | ${number(idleMb)} MB | < 120 MB |
| memory of the process, after the load | ${number(loadedMb)} MB | < 170 MB |
| processor time of a start | ${number(startSeconds, 1)} s | |
| scripts until the first coupon is on screen, compressed | ${number(scriptBytes / 1_000)} kB | <= 154 kB |
`;
}
