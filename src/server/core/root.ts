import { createRequire } from 'node:module';
import path from 'node:path';

/** The folder of package.json, which Node finds from wherever a module is, in the sources or in a bundle. */
export const ROOT = path.dirname(createRequire(import.meta.url).resolve('#root/package.json'));
