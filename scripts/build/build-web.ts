import path from 'node:path';
import { build } from 'vite';
import { LANGUAGE_CODES } from '../../src/contract/base/i18n.ts';

/** Builds the web application in each language, and what renders its pages on the server. The first build empties the folder of them all. */
for (const mode of LANGUAGE_CODES)
  for (const ssr of [false, true])
    await build({
      configFile: path.resolve(import.meta.dirname, '../../vite.config.ts'),
      mode,
      logLevel: 'warn',
      build: ssr ? { ssr: 'entry-server.tsx' } : {},
    });
