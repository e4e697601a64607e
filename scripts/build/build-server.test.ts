import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { bundleOf } from '../../tests/processes.ts';

/** Packages for acts that are rare, or that another process does: together most of the files that a start would load. */
const LATER = [
  '@node-rs/argon2',
  '@simplewebauthn/server',
  '@simplewebauthn/server/helpers',
  'cheerio',
  'csv-parse/sync',
  'csv-stringify',
  'fast-xml-parser',
  'jose',
  'nodemailer',
  'otplib',
  'pino-pretty',
  'postal-mime',
  'prom-client',
  'sharp',
  'sitemap',
  'stripe',
  'undici',
  'web-push',
];

/** The packages that a bundle loads at its start. */
const loadedBy = (text: string) =>
  [...text.matchAll(/^(?:import (?:.* from )?|\} from )"([^":]+)";$/gm)].map(([, name = '']) => name);

it('the program starts without the packages that only some acts need', async () => {
  const bundle = await bundleOf(path.resolve(import.meta.dirname, '../programs/start.ts'));
  const text = await readFile(bundle, 'utf8');
  const loaded = loadedBy(text);
  expect(loaded).toContain('fastify');
  expect(LATER.filter((name) => loaded.includes(name))).toEqual([]);
});

it('a process for pictures starts without the packages that only some pictures need, from a bundle beside the program', async () => {
  const folder = path.dirname(await bundleOf(path.resolve(import.meta.dirname, '../programs/start.ts')));
  const [child, worker] = await Promise.all(
    ['child.js', 'worker.js'].map((name) => readFile(path.join(folder, name), 'utf8')),
  );
  expect([loadedBy(child ?? ''), loadedBy(worker ?? '')]).toEqual([
    [],
    ['@undecaf/zbar-wasm', 'zxing-wasm/reader'],
  ]);
});

it('the image starts as npm start does', async () => {
  const dockerfile = await readFile(path.resolve(import.meta.dirname, '../../Dockerfile'), 'utf8');
  expect(JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '')).toEqual(
    manifest.scripts.start.split(' '),
  );
});
