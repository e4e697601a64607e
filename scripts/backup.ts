/**
 * `npm run backup -- FILE`: writes database and pictures to one file, while ClipSwap runs. The secret key is not in it:
 * keep that apart.
 */
import { parseArgs } from 'node:util';
import { backUp } from '#server/domains/operations/backup.ts';
import { withInstallation } from './installation.ts';

const { positionals } = parseArgs({ allowPositionals: true });
const [file, ...others] = positionals;
await withInstallation(async (installation) => {
  if (!file || others.length > 0) throw new Error('Usage: npm run backup -- FILE');
  const { rows, pictures, missing, sha256 } = await backUp(installation, file, console.error);
  const count = Object.values(rows).reduce((sum, of) => sum + of, 0);
  if (missing > 0) console.error(`${missing} pictures are not in the storage.`);
  console.log(`${file}: ${count} rows, ${pictures} pictures, checksum ${sha256}.`);
});
