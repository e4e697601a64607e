import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { bundleOf } from '../tests/processes.ts';

/** Packages for acts that are rare, or that another process does: together most of the files that a start would load. */
const LATER = [
  '@simplewebauthn/server',
  '@simplewebauthn/server/helpers',
  'cheerio',
  'fast-xml-parser',
  'jose',
  'nodemailer',
  'prom-client',
  'sharp',
  'sitemap',
  'undici',
];

it('the program starts without the packages that only some acts need', async () => {
  const bundle = await bundleOf(path.resolve(import.meta.dirname, 'start.ts'));
  const text = await readFile(bundle, 'utf8');
  const loaded = [...text.matchAll(/^import (?:.* from )?"([^"]+)";$/gm)].map(([, name]) => name);
  expect(loaded).toContain('fastify');
  expect(LATER.filter((name) => loaded.includes(name))).toEqual([]);
  // One other letter would make V8 keep all of it with two bytes a letter.
  expect(text.match(/[^\0-\x7f]/g)).toBeNull();
});
