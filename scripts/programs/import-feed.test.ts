import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { itLong } from '#tests/support/long-form.ts';
import { importDemoFeed } from '../demo/collecting.ts';
import { readArguments } from './import-feed.ts';

const database = setUpDatabase();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'import-feed-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

/** Runs the program as an operator would. */
function importFile(...args: string[]) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(
      process.execPath,
      ['--import', './scripts/build/typescript.js', 'scripts/programs/import-feed.ts', ...args],
      {
        env: {
          ...process.env,
          NODE_ENV: 'test',
          DATABASE_URL: database.url,
          SECRET_KEY: Buffer.alloc(32).toString('base64'),
        },
      },
      (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, out: stdout.trim(), err: stderr.trim() }),
    );
  });
}

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

it('imports a file, prints refused rows with reasons, and prints totals', async () => {
  const file = write(
    'offers.csv',
    'Advertiser,Code,Description,Ends\nAcme,A,first,\nAcme,N/A,second,\nAcme,C,"third,\nAcme,D,fourth,31/12/2001\nAcme,E,fifth,31/12/2090\n',
  );
  const outcome = await importFile(file, '--name', 'acme', '--network', 'awin');
  expect(outcome).toEqual({
    code: 0,
    out: 'acme: 2 added, 0 changed, 0 unchanged, 3 refused, 0 removed.',
    err: [
      'line 3: It has no code',
      'line 4: Its quotes do not match',
      'line 5: It expired on 2001-12-31',
    ].join('\n'),
  });
});

itLong('ends with 1 when there is no such file', async () => {
  expect(await importFile(path.join(folder, 'missing.csv'), '--name', 'x')).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('no such file'),
  });
});

it('ends with 1 when the file cannot be read', async () => {
  expect(await importFile(write('broken.json', '{'), '--name', 'x')).toEqual({
    code: 1,
    out: '',
    err: 'It is not JSON.',
  });
});

it('ends with 1 when the dates have two readings, until it is told one', async () => {
  const offers = write('dates.csv', 'merchant,code,title,end\nAcme,DATE1,first,03/04/2090\n');
  const { code, err } = await importFile(offers, '--name', 'dates');
  expect(code).toBe(1);
  expect(err).toContain(
    '03/04/2090 (line 2) is 2090-04-03 with the day first and 2090-03-04 with the month first',
  );
  expect(readArguments(['offers.csv', '--name', 'x', '--dates', 'month-first']).reading.isDayFirst).toBe(
    false,
  );
});

it.each([
  ['an unknown order of dates', ['offers.csv', '--name', 'x', '--dates', 'us'], '--dates: '],
  ['an unknown format', ['offers.csv', '--name', 'x', '--format', 'doc'], '--format: '],
  ['an unknown network', ['offers.csv', '--name', 'x', '--network', 'nobody'], '--network: '],
  ['no name', ['offers.csv'], 'Give a file and a name'],
])('refuses %s and shows the usage', (_, args, reason) => {
  expect(() => readArguments(args)).toThrow(reason);
  expect(() => readArguments(args)).toThrow('Usage: ');
});

it('imports every offer of the demo feed, except the few that have expired', async () => {
  const ctx = createTestContext(database);
  expect(await importDemoFeed(ctx)).toEqual({ added: 57, changed: 0, unchanged: 0, refused: 3, removed: 0 });
  const shops = await database.db
    .selectFrom('feedMerchants')
    .select('name')
    .where('name', '<>', 'Acme')
    .execute();
  expect(shops).toHaveLength(10);
});
