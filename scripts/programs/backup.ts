/**
 * `npm run backup -- FILE`: writes database and pictures to one file, while ClipSwap runs. The secret key is not in it:
 * keep that apart.
 */

import { parseArgs } from 'node:util';
import { createDatabase } from '#server/database/client.ts';
import { backUp } from '#server/oversight/backup/service.ts';
import { putRun } from '#server/oversight/checks/service.ts';
import { withInstallation } from './installation.ts';

const { positionals } = parseArgs({ allowPositionals: true });
const [file, ...others] = positionals;
await withInstallation(async (installation) => {
  if (!file || others.length > 0) throw new Error('Usage: npm run backup -- FILE');
  const { rows, pictures, missing, sha256 } = await backUp(installation, file, console.error);
  const count = Object.values(rows).reduce((sum, of) => sum + of, 0);
  await noteBackup(installation.databaseUrl);
  if (missing > 0) console.error(`${missing} pictures are not in the storage.`);
  console.log(`${file}: ${count} rows, ${pictures} pictures, checksum ${sha256}.`);
});

/** Notes the time in the database, where the checks look for it. The backup is whole without that. */
async function noteBackup(url: string): Promise<void> {
  const { db, pool } = createDatabase({ url, poolSize: 1 });
  await putRun(db, { name: 'backup', ranAt: new Date() }).catch(() =>
    console.error('The time of this backup could not be noted in the database.'),
  );
  await pool.end();
}
