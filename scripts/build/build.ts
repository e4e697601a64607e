import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildServer } from './build-server.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const STAMP = path.join(ROOT, 'dist/web/.built-from');
const SOURCES = [
  'src/web',
  'src/contract',
  'src/locales',
  'lingui.config.ts',
  'vite.config.ts',
  'scripts/build/build-web.ts',
  'scripts/build/chunks.ts',
  'scripts/build/macros.ts',
  'scripts/build/precompress.ts',
  'scripts/build/page-weight.ts',
  'scripts/build/mantine-styles.ts',
  'scripts/build/app-icons.ts',
  'scripts/build/service-worker.ts',
  'package-lock.json',
];

function filesBelow(file: string): string[] {
  if (!statSync(file).isDirectory()) return [file];
  return readdirSync(file, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/** A hash of all files that the web build depends on. */
function sourceFingerprint(): string {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((source) => filesBelow(path.join(ROOT, source)))) {
    hash.update(path.relative(ROOT, file)).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** Builds the web application if its sources have changed since the last build. @returns whether it built */
async function buildWebIfStale(): Promise<boolean> {
  const fingerprint = sourceFingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint) return false;
  // In a separate process: Vite sets NODE_ENV, and needs memory that the server should not keep.
  const program = ['--import', './scripts/build/typescript.js', 'scripts/build/build-web.ts'];
  await promisify(execFile)(process.execPath, program, { cwd: ROOT });
  writeFileSync(STAMP, fingerprint);
  return true;
}

/** `npm start` runs this first. What is deployed was built before, and has no sources of the web application. */
if (existsSync(path.join(ROOT, 'src/web'))) {
  console.log('ClipSwap is starting …');
  const [isWebNew] = await Promise.all([buildWebIfStale(), buildServer()]);
  if (isWebNew) console.log('The web application is built.');
}
