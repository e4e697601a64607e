import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

/* `.dependency-cruiser.cjs` refuses what it says: a small house breaks each of its rules once. */

interface Rule {
  readonly name: string;
}

const ROOT = path.resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
const { forbidden }: { forbidden: readonly Rule[] } = require('../.dependency-cruiser.cjs');

/** Each rule, who breaks it, and what they import: a file, a package, or as a whole line of code. */
const BROKEN: readonly (readonly [rule: string, from: string, to: string])[] = [
  ['no-circular', 'src/web/lib/hen.ts', 'src/web/lib/egg.ts'],
  ['no-circular', 'src/web/lib/egg.ts', 'src/web/lib/hen.ts'],
  ['no-circle-of-folders', 'src/server/core/a.ts', 'src/server/redis/b.ts'],
  ['no-circle-of-folders', 'src/server/redis/c.ts', 'src/server/core/d.ts'],
  ['no-unresolvable', 'src/web/lib/lost.ts', "import './nowhere.ts';"],
  ['no-undeclared-package', 'src/server/core/unlisted.ts', 'undeclared-package'],
  ['no-dev-package-in-product', 'src/server/core/developer.ts', 'vitest'],
  ['contract-is-the-floor', 'src/contract/high.ts', 'src/server/core/d.ts'],
  ['contract-imports-zod-only', 'src/contract/clock.ts', 'node:crypto'],
  ['core', 'src/server/core/high.ts', 'src/server/database/client.ts'],
  ['database', 'src/server/database/high.ts', 'src/contract/base/money.ts'],
  ['redis', 'src/server/redis/high.ts', 'src/server/database/client.ts'],
  ['providers', 'src/server/providers/high.ts', 'src/server/coupons/core/service.ts'],
  ['readers', 'src/server/readers/high.ts', 'src/server/coupons/core/service.ts'],
  ['texts', 'src/server/texts/high.ts', 'src/server/coupons/core/service.ts'],
  ['sandbox', 'src/sandbox/high.ts', 'src/server/core/clock.ts'],
  ['sandbox-by-address-only', 'src/server/app.ts', 'src/sandbox/server.ts'],
  ['rooms', 'src/server/coupons/core/web.ts', 'src/server/router.ts'],
  ['no-loose-file', 'src/server/coupons/loose.ts', 'src/server/core/d.ts'],
  ['server-floor-of-people', 'src/server/people/accounts/high.ts', 'src/server/coupons/core/service.ts'],
  ['server-floor-of-coupons', 'src/server/coupons/core/high.ts', 'src/server/deals/bids/service.ts'],
  ['server-floor-of-deals', 'src/server/deals/bids/high.ts', 'src/server/money/books/ledger.ts'],
  ['server-floor-of-money', 'src/server/money/books/high.ts', 'src/server/oversight/checks/job-runs.ts'],
  ['web-floor-of-people', 'src/web/people/accounts/high.ts', 'src/web/coupons/core/low.ts'],
  ['web-floor-of-coupons', 'src/web/coupons/core/high.ts', 'src/web/deals/bids/low.ts'],
  ['web-floor-of-deals', 'src/web/deals/bids/high.ts', 'src/web/money/payments/low.ts'],
  ['web-floor-of-money', 'src/web/money/payments/high.ts', 'src/web/oversight/admin/low.ts'],
  ['only-the-root-imports-routers', 'src/server/deals/bids/root.ts', 'src/server/coupons/core/router.ts'],
  ['service-has-no-sql', 'src/server/coupons/core/sql.ts', 'kysely'],
  ['rules-are-pure', 'src/server/coupons/core/rules.ts', 'src/server/core/d.ts'],
  ['one-door', 'src/server/deals/bids/guest.ts', 'src/server/coupons/core/store.ts'],
  ['one-door-from-outside', 'src/server/jobs/guest.ts', 'src/server/coupons/core/store.ts'],
  ['lucia-only-in-sessions', 'src/server/core/session.ts', 'lucia'],
  ['trpc', 'src/server/trpc/sql.ts', 'src/server/database/client.ts'],
  ['routers', 'src/server/coupons/core/router.ts', 'src/server/database/client.ts'],
  ['routers-call-services', 'src/server/trpc/store.ts', 'src/server/coupons/core/store.ts'],
  ['rest', 'src/server/rest/service.ts', 'src/server/coupons/core/service.ts'],
  ['jobs', 'src/server/jobs/router.ts', 'src/server/router.ts'],
  ['only-tests-import-tests', 'src/server/main.ts', 'tests/support/app.ts'],
  ['web-knows-the-server-by-type', 'src/web/lib/server.ts', 'src/server/core/d.ts'],
  ['app-router-by-type-only', 'src/web/lib/trpc.ts', 'src/server/router.ts'],
  ['web-theme', 'src/web/theme/high.ts', 'src/web/lib/low.ts'],
  ['web-lib', 'src/web/lib/high.ts', 'src/web/theme/low.ts'],
  ['web-components', 'src/web/components/high.ts', 'src/web/deals/bids/list.ts'],
  ['web-rooms', 'src/web/deals/bids/high.ts', 'src/web/pages/home.ts'],
  ['web-pages', 'src/web/pages/high.ts', 'src/web/app/routes.ts'],
  ['frozen-migrations', 'db/migrations/one.ts', 'src/contract/base/money.ts'],
];

let house: string;
/** `rule from to`, of every violation found. */
let found: readonly string[];

async function write(file: string, code: string): Promise<void> {
  await mkdir(path.dirname(path.join(house, file)), { recursive: true });
  await writeFile(path.join(house, file), code, { flag: 'a' });
}

function importOf(from: string, to: string): string {
  if (to.startsWith('import')) return to;
  const isFile = /^(src|db|tests)\//.test(to);
  const target = isFile ? path.relative(path.dirname(from), to).replace(/^(?!\.)/, './') : to;
  return `import '${target}';\n`;
}

beforeAll(async () => {
  house = await mkdtemp(path.join(tmpdir(), 'clipswap-house-'));
  for (const file of ['.dependency-cruiser.cjs', 'package.json', 'tsconfig.json'])
    await copyFile(path.join(ROOT, file), path.join(house, file));
  await write('node_modules/undeclared-package/index.js', '');
  for (const name of ['kysely', 'lucia', 'vitest'])
    await symlink(path.join(ROOT, 'node_modules', name), path.join(house, 'node_modules', name));
  for (const [, from, to] of BROKEN) {
    await write(from, importOf(from, to));
    if (/^(src|db|tests)\//.test(to)) await write(to, '');
  }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      path.join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      '--output-type',
      'json',
      'src',
      'db',
    ],
    { cwd: house, maxBuffer: 2 ** 26 },
  ).catch((error: { stdout: string }) => error);
  const { summary }: { summary: { violations: { rule: Rule; from: string; to: string }[] } } =
    JSON.parse(stdout);
  found = summary.violations.map(({ rule, from, to }) => `${rule.name} ${from} ${to}`);
});
afterAll(() => rm(house, { recursive: true, force: true }));

it.each(forbidden.map(({ name }) => name))('%s', (name) => {
  expect(found.filter((line) => line.startsWith(`${name} `))).not.toEqual([]);
});

/** What makes code from strings, wraps what a library has made, reads SQL texts, or asks for plans. `core/tracing.ts` wraps our services. */
const HIDDEN =
  /new Function\b|new Proxy\((?!service\b)|setFlagsFromString|rowMode|\b(sql|statement)\.(replace|match)\(|\bexplain [(a]/;

it('no source hides what a request does', async () => {
  const sources = ['src', 'db', 'scripts'].map(async (folder) => {
    const names = await readdir(path.join(ROOT, folder), { recursive: true });
    return names
      .filter((name) => /(?<!\.test)\.tsx?$/.test(name) && !name.includes('testing'))
      .map((name) => path.join(folder, name));
  });
  const files = (await Promise.all(sources)).flat();
  const texts = await Promise.all(files.map((file) => readFile(path.join(ROOT, file), 'utf8')));
  expect(files.filter((_, at) => HIDDEN.test(texts[at] ?? ''))).toEqual([]);
});
