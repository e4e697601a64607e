/**
 * `npm run client`: writes `dist/client`, the package of the typed client, from the OpenAPI document of this version. It is
 * ready for `npm publish` or `npm install <path>`, and needs nothing but `fetch`.
 */
import { execFile } from 'node:child_process';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { createClient, type UserConfig } from '@hey-api/openapi-ts';
import fastify from 'fastify';
import { registerOpenApi } from '#server/rest/openapi.ts';
import { registerRestRoutes } from '#server/rest/routes.ts';
import type { AppDeps } from '#server/trpc/context.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PACKAGE = path.join(ROOT, 'scripts/build/client');

/** Where a program looks for the market until it says which one it means. */
const NO_MARKET = 'https://market.example';

const COMPILER = {
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  module: 'nodenext',
  types: [],
  declaration: true,
  rootDir: '.',
  outDir: '..',
};

/**
 * The document that `/api/openapi.json` serves, without the cookies of browsers: the client would send a key as a cookie, too.
 * No call is answered, so the routes need nothing to answer with.
 */
async function readDocument() {
  const app = fastify();
  await registerOpenApi(app, { publicUrl: NO_MARKET });
  registerRestRoutes(app, {} as AppDeps);
  await app.ready();
  const document = app.swagger() as { paths: Record<string, Record<string, { security?: object[] }>> };
  for (const calls of Object.values(document.paths))
    for (const call of Object.values(calls))
      call.security = call.security?.filter((way) => !('session' in way)) ?? [];
  return document;
}

/** Writes the package into a folder, and replaces what was there. */
export async function buildClient(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const source = path.join(folder, 'source');
  await createClient({
    input: (await readDocument()) as UserConfig['input'],
    output: { path: source, module: { extension: '.js' } },
    logs: { level: 'silent', file: false },
    plugins: ['@hey-api/typescript', '@hey-api/client-fetch', '@hey-api/sdk'],
  });
  const { version, license } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
  const manifest = JSON.parse(await readFile(path.join(PACKAGE, 'package.json'), 'utf8'));
  await writeFile(
    path.join(folder, 'package.json'),
    JSON.stringify({ ...manifest, version, license }, null, 2),
  );
  await cp(path.join(PACKAGE, 'README.md'), path.join(folder, 'README.md'));
  await cp(path.join(ROOT, 'LICENSE'), path.join(folder, 'LICENSE'));
  const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
  await writeFile(
    path.join(source, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER, exclude: [] }),
  );
  await promisify(execFile)(tsc, ['--project', source]);
  await rm(source, { recursive: true });
}

if (process.argv[1] === import.meta.filename) await buildClient(path.join(ROOT, 'dist/client'));
