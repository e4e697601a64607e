import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '#server/core/root.ts';
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

/** The packages that a bundle and those that it imports load at their start. */
async function loadedBy(bundle: string, seen = new Set<string>()): Promise<string[]> {
  if (seen.has(bundle)) return [];
  seen.add(bundle);
  const text = await readFile(bundle, 'utf8');
  const names = [...text.matchAll(/^(?:import (?:.* from )?|\} from )"([^":]+)";$/gm)];
  const loaded = names.map(([, name = '']) =>
    name.startsWith('.') ? loadedBy(path.join(path.dirname(bundle), name), seen) : [name],
  );
  return (await Promise.all(loaded)).flat().sort();
}

it('the program starts without the packages that only some acts need', async () => {
  const loaded = await loadedBy(await bundleOf(path.join(ROOT, 'scripts/programs/start.ts')));
  expect(loaded).toContain('fastify');
  expect(LATER.filter((name) => loaded.includes(name))).toEqual([]);
});

it('a process for pictures starts without the packages that only some pictures need', async () => {
  const [child, worker] = await Promise.all(
    ['child.js', 'worker.js'].map((name) => loadedBy(path.join(ROOT, 'dist/server/pictures', name))),
  );
  expect([child, worker]).toEqual([[], []]);
});

it('the image starts as npm start does', async () => {
  const dockerfile = await readFile(path.join(ROOT, 'Dockerfile'), 'utf8');
  expect(JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '')).toEqual(
    manifest.scripts.start.split(' '),
  );
});
