import type { LoadHook } from 'node:module';
import { withoutMacros } from './macros.ts';

/** Node's hook that loads modules of ours, after tsx made JavaScript of them. */
export const load: LoadHook = async (url, context, next) => {
  const module = await next(url, context);
  if (!url.startsWith('file:') || url.includes('/node_modules/') || !module.source) return module;
  const result = await withoutMacros(String(module.source), new URL(url).pathname);
  return result ? { ...module, source: result.code } : module;
};
