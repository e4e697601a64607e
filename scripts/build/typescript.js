import { register } from 'node:module';
import 'tsx';

// `node --import ./scripts/build/typescript.js program.ts` runs our TypeScript: tsx compiles it, and we replace Lingui's macros.
register('./load-macros.ts', import.meta.url);
