/**
 * `npm run restore -- FILE [--replace]`: restores what `npm run backup` wrote, and migrates it to this release. Needs
 * the same SECRET_KEY. Refuses a database with people in it, unless --replace is given.
 */

import { parseArgs } from 'node:util';
import { restore } from '#server/oversight/backup/service.ts';
import { openProgram } from '#server/program.ts';
import { withInstallation } from './installation.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { replace: { type: 'boolean', default: false } },
});
const [file, ...others] = positionals;
await withInstallation(async (installation, config, log) => {
  if (!file || others.length > 0) throw new Error('Usage: npm run restore -- FILE [--replace]');
  const { rows, pictures } = await restore(installation, file, values, console.error);
  // Brings the schema of an earlier release up to date.
  await (await openProgram(config, log)).close();
  const count = Object.values(rows).reduce((sum, of) => sum + of, 0);
  console.log(`${file} is restored: ${count} rows, ${pictures} pictures.`);
});
