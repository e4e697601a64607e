import path from 'node:path';
import { build } from 'vite';
import { LANGUAGE_CODES } from '../../src/contract/base/i18n.ts';

/** Builds the web application in each language. The first build empties the folder of them all. */
for (const mode of LANGUAGE_CODES)
  await build({
    configFile: path.resolve(import.meta.dirname, '../../vite.config.ts'),
    mode,
    logLevel: 'warn',
  });
