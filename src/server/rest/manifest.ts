import { t } from '@lingui/core/macro';
import type { FastifyInstance } from 'fastify';
import { PAGE_GROUND } from '#contract/base/grounds.ts';
import { LANGUAGE_CODES, locale, localPath, prefixOf } from '#contract/base/i18n.ts';
import { marketTagline } from '#contract/base/market.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import { SHARE_TARGET } from '#contract/base/share-target.ts';
import { inLanguage } from '#server/core/language.ts';
import { ownColor } from '#server/core/market-colors.ts';
import type { Market } from '#server/core/market-folder.ts';

/** Its address, without a language. */
export const MANIFEST = '/manifest.webmanifest';

/** What systems need to install the application (https://www.w3.org/TR/appmanifest/). Each language is one of its own. */
function manifest(market: Market) {
  const home = localPath(paths.home);
  return {
    id: home,
    name: market.name,
    short_name: market.shortName,
    description: marketTagline() ?? t`Swap the discount coupons you will not use for ones you will.`,
    lang: locale(),
    start_url: home,
    scope: home,
    display: 'standalone',
    background_color: ownColor(PAGE_GROUND.light),
    theme_color: ownColor(PAGE_GROUND.light),
    categories: ['shopping'],
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
    shortcuts: [
      {
        name: t`Scan`,
        description: t`Check a code with the camera`,
        url: localPath(`${paths.validateCoupon}?scan=1`),
      },
      { name: PAGES.myCoupons.title(), url: localPath(paths.myCoupons) },
      { name: PAGES.matches.title(), url: localPath(paths.matches) },
    ],
    share_target: {
      action: localPath(SHARE_TARGET),
      method: 'POST',
      enctype: 'multipart/form-data',
      params: {
        text: 'text',
        url: 'text',
        files: [
          {
            name: 'files',
            accept: [
              'image/*',
              'application/pdf',
              '.pdf',
              'application/vnd.apple.pkpass',
              '.pkpass',
              'text/csv',
              '.csv',
            ],
          },
        ],
      },
    },
    file_handlers: [
      {
        action: localPath(paths.myCoupons),
        accept: {
          'application/pdf': ['.pdf'],
          'application/vnd.apple.pkpass': ['.pkpass'],
          'image/avif': ['.avif'],
          'image/gif': ['.gif'],
          'image/heic': ['.heic', '.heif'],
          'image/jpeg': ['.jpg', '.jpeg'],
          'image/png': ['.png'],
          'image/webp': ['.webp'],
        },
      },
    ],
  };
}

/** Serves the manifest in each language. */
export function registerManifest(app: FastifyInstance, market: Market): void {
  for (const language of LANGUAGE_CODES)
    app.get(prefixOf(language) + MANIFEST, { schema: { hide: true } }, (_request, reply) =>
      reply
        .type('application/manifest+json')
        .header('cache-control', 'no-cache')
        .send(inLanguage(language, () => JSON.stringify(manifest(market)))),
    );
}
