import path from 'node:path';

const bundles = new Map<string, Promise<string>>();

/**
 * One classic script out of a module of this folder: that is what the providers' own loaders load. Made when it is
 * first asked for, by the bundler that comes with tsx.
 */
export function bundleScript(entry: 'stripe.ts' | 'paypal.ts'): Promise<string> {
  const known = bundles.get(entry) ?? bundle(path.join(import.meta.dirname, entry));
  bundles.set(entry, known);
  return known;
}

async function bundle(file: string): Promise<string> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
  });
  return outputFiles[0]?.text ?? '';
}
