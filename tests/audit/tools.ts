import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { type Ran, reportOf, run } from './run.ts';

/** What a tool complains about. */
export interface Finding {
  readonly what: string;
  readonly where: string;
}

/** The marketplace that is attacked. */
export interface Target {
  readonly url: string;
  /** For reports. */
  readonly folder: string;
  /** The calls that read, with the names of what may stand in their query. */
  readonly calls: readonly { readonly path: string; readonly names: readonly string[] }[];
}

interface Tool {
  /** Its command, and its package in Debian. */
  readonly name: string;
  attack(target: Target): Promise<Finding[]>;
}

const MINUTES = 60;

/** A tool that was ended, or has written no report, has proved nothing. */
function unfinished(ran: Ran, hasReport: boolean): Finding[] {
  if (ran.isWhole && hasReport) return [];
  return [
    { what: ran.isWhole ? 'It has written no report' : 'Its time was over', where: ran.said.slice(-200) },
  ];
}

/** What nobody may find on a server: configuration, sources, backups, other programs' pages. */
const HIDDEN = [
  '.env .env.local .git/HEAD .git/config .gitignore .npmrc .htaccess .DS_Store .data .data/secret.key .ssh/id_rsa',
  'package.json package-lock.json tsconfig.json vite.config.ts src/server/main.ts server/start.js dist/server/start.js start.js',
  'node_modules/pg/package.json assets/ assets/../../server/start.js ..%2fpackage.json ..%2f..%2fetc%2fpasswd %2e%2e/package.json',
  'assets/..%2f..%2fpackage.json assets/%2e%2e/%2e%2e/package.json ....//package.json ..\\package.json assets/..%5c..%5cpackage.json',
  'backup.sql dump.sql backup.zip all.backup db.sqlite database.sql backups/ files/ uploads/ api/files api/uploads api/',
  'metrics healthz/debug debug server-status server-info actuator/env phpinfo.php wp-login.php admin.php console graphql trpc',
  'api/debug api/metrics api/admin api/admin/users api/config api/env api/internal api/users swagger.json .well-known/',
  '%00 index.html%00 a%0d%0aset-cookie:a=b %c0%ae%c0%ae/package.json api/images/..%2f..%2fpackage.json api/pictures/%2e%2e%2fpackage.json',
].flatMap((line) => line.split(' '));

const ffufReport = z.object({
  results: z.array(z.object({ url: z.string(), status: z.number(), length: z.number() })),
});

async function ffuf({ url, folder }: Target): Promise<Finding[]> {
  const [words, report] = [path.join(folder, 'words'), path.join(folder, 'ffuf.json')];
  await writeFile(words, HIDDEN.join('\n'));
  const args = [
    '-w',
    words,
    '-u',
    `${url}/FUZZ`,
    '-mc',
    'all',
    '-fc',
    '301,308,400,401,403,404,405,414',
    '-t',
    '4',
    '-of',
    'json',
    '-o',
    report,
  ];
  const ran = await run('ffuf', [...args, '-maxtime', '120'], 3 * MINUTES);
  const read = ffufReport.safeParse(await reportOf(report)).data;
  const found = (read?.results ?? []).map((one) => ({
    what: `${one.status} for a hidden name`,
    where: one.url,
  }));
  return [...unfinished(ran, read !== undefined), ...found];
}

/** How many calls a tool tries that takes long for each. */
const CALLS_MAX = 8;

async function sqlmap({ url, folder, calls }: Target): Promise<Finding[]> {
  const list = path.join(folder, 'calls');
  const searched = calls
    .filter(({ names }) => names.length > 0)
    .toSorted((a, b) => b.names.length - a.names.length);
  const urls = searched
    .slice(0, CALLS_MAX)
    .map((call) => `${url}${call.path}?${call.names.map((name) => `${name}=1`).join('&')}`);
  await writeFile(list, urls.join('\n'));
  const args = [
    '-m',
    list,
    '--batch',
    '--smart',
    '--level=1',
    '--risk=1',
    '--dbms=postgresql',
    '--technique=BEU',
  ];
  const ran = await run(
    'sqlmap',
    [
      ...args,
      '--threads=2',
      '--timeout=10',
      '--retries=1',
      '--flush-session',
      `--output-dir=${folder}/sqlmap`,
    ],
    20 * MINUTES,
  );
  const found = [
    ...ran.said.matchAll(
      /^Parameter: .*$|.*\b(?:is vulnerable|appears to be injectable|appears to be '.*' injectable).*/gm,
    ),
  ];
  return [
    ...unfinished(ran, /ending @/.test(ran.said)),
    ...found.map(([line]) => ({ what: line.trim(), where: 'api' })),
  ];
}

const wapitiReport = z.object({
  vulnerabilities: z.record(z.string(), z.array(z.object({ info: z.string(), path: z.string() }))),
  anomalies: z.record(z.string(), z.array(z.object({ info: z.string(), path: z.string() }))),
});

async function wapiti({ url, folder, calls }: Target): Promise<Finding[]> {
  const report = path.join(folder, 'wapiti.json');
  const starts = calls.flatMap((call) => [
    '-s',
    `${url}${call.path}${call.names.length > 0 ? `?${call.names.map((name) => `${name}=1`).join('&')}` : ''}`,
  ]);
  // Those that ask a server of their makers are left out.
  const modules = 'sql,xss,file,exec,crlf,redirect,http_headers,csp,cookieflags,csrf,methods,htaccess';
  const bounds = [
    '--max-scan-time',
    '60',
    '--max-attack-time',
    '40',
    '-d',
    '1',
    '--max-links-per-page',
    '20',
  ];
  const ran = await run(
    'wapiti',
    [
      '-u',
      `${url}/`,
      ...starts,
      '-m',
      modules,
      ...bounds,
      '-t',
      '10',
      '--flush-session',
      '--no-bugreport',
    ].concat(['--store-session', `${folder}/wapiti`, '-f', 'json', '-o', report, '-v', '0']),
    12 * MINUTES,
  );
  const read = wapitiReport.safeParse(await reportOf(report)).data;
  const found = [read?.vulnerabilities ?? {}, read?.anomalies ?? {}].flatMap((kinds) =>
    Object.entries(kinds).flatMap(([kind, all]) =>
      all.map((one) => ({ what: `${kind}: ${one.info}`, where: one.path })),
    ),
  );
  return [...unfinished(ran, read !== undefined), ...found];
}

/** What `npm run audit` runs, in this order. All come from one address, so the limits of an address hold for them. */
export const TOOLS: readonly Tool[] = [
  { name: 'ffuf', attack: ffuf },
  { name: 'sqlmap', attack: sqlmap },
  { name: 'wapiti', attack: wapiti },
];
