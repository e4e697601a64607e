import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { LANGUAGE_CODES } from './src/contract/base/i18n.ts';

/** Where Lingui finds the texts and keeps their translations. English is the source, and has no catalogue. */
export default defineConfig({
  sourceLocale: 'en',
  locales: LANGUAGE_CODES.filter((code) => code !== 'en'),
  catalogs: [
    {
      path: 'src/locales/{locale}',
      include: ['src/contract', 'src/server', 'src/web'],
      exclude: ['**/*.test.*'],
    },
  ],
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
  runtimeConfigModule: {
    i18n: ['#contract/base/i18n.ts', 'i18n'],
    Trans: ['#web/components/trans.tsx', 'Trans'],
  },
});
