import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { BREAKPOINTS } from './src/web/theme/breakpoints.ts';

const ROOT = import.meta.dirname;

/** Asks for the font of nearly every page along with the styles that name it, so that text does not jump later. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((file) => /bricolage-grotesque-latin-opsz-.*\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
            injectTo: 'head',
          })),
    },
  };
}

/**
 * `@mixin smaller-than $mantine-breakpoint-sm` and `@mixin larger-than …`, written and understood as by Mantine's
 * PostCSS preset. Nothing else of the preset is used, hence not its nine packages.
 */
const breakpointMixins: Plugin = {
  name: 'breakpoint-mixins',
  config: () => ({
    css: {
      postcss: {
        plugins: [
          {
            postcssPlugin: 'breakpoint-mixins',
            AtRule: {
              mixin(rule) {
                const [, side, name] =
                  /^(smaller|larger)-than \$mantine-breakpoint-(\w+)$/.exec(rule.params) ?? [];
                const width = Object.entries(BREAKPOINTS).find(([known]) => known === name)?.[1];
                if (!width) throw rule.error('No such mixin or breakpoint');
                rule.name = 'media';
                rule.params =
                  side === 'larger'
                    ? `(min-width: ${width})`
                    : `(max-width: ${Number.parseFloat(width) - 0.01}em)`;
              },
            },
          },
        ],
      },
    },
  }),
};

export default defineConfig({
  root: path.join(ROOT, 'src/web'),
  plugins: [react(), preloadFont(), breakpointMixins],
  build: {
    outDir: path.join(ROOT, 'dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    rolldownOptions: {
      output: {
        // A release of ours leaves these as they are in people's caches.
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom|@tanstack|@trpc|zod)[\\/]/,
            },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': `http://127.0.0.1:${process.env.PORT ?? 3000}` } },
});
