import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Text. Pictures and fonts are compressed already; the shell differs with each answer. */
const COMPRESSED = new Set(['.js', '.css', '.svg', '.json', '.txt', '.wasm']);

/**
 * Writes each file of a built web application as Brotli and gzip beside it, as small as can be, so that the server
 * compresses nothing while it answers.
 */
export async function precompress(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && COMPRESSED.has(path.extname(entry.name)));
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      const content = await readFile(file);
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
      await Promise.all([
        writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params })),
        writeFile(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION })),
      ]);
    }),
  );
}
