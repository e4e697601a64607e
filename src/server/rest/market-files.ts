import type { FastifyInstance } from 'fastify';
import type { FirstAnswer } from '#contract/base/first-answers.ts';
import { PAGE_GROUND } from '#contract/base/grounds.ts';
import { OWN_TEXT_QUERY, OWN_TEXTS_META } from '#contract/base/legal-texts.ts';
import type { PageSettings } from '#contract/base/page-setting.ts';
import type { WebPage } from '#contract/base/pages.ts';
import { ownColor } from '#server/core/market-colors.ts';
import type { Market } from '#server/core/market-folder.ts';
import type { AppDeps } from '#server/trpc/context.ts';

const LOGO = '/favicon.svg';

/** A drawing of the operator: as a document of its own it runs no script and loads nothing. */
const DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

interface MarketFile {
  readonly type: string;
  readonly content: string | Buffer;
}

/** The files of a market that its folder has, or that are made of these, by their addresses. */
export async function marketFiles(
  { logo, icon, legalTexts }: Market,
  pictures: AppDeps['providers']['pictures'],
): Promise<ReadonlyMap<string, MarketFile>> {
  const files = new Map<string, MarketFile>();
  if (logo !== null) files.set(LOGO, { type: 'image/svg+xml', content: logo });
  const picture = icon ?? (logo === null ? null : Buffer.from(logo));
  if (picture) {
    for (const [name, content] of await pictures.drawIcons(picture, ownColor(PAGE_GROUND.light)))
      files.set(`/${name}`, { type: 'image/png', content });
  }
  for (const [name, content] of legalTexts)
    files.set(`/legal/${name}.md`, { type: 'text/markdown; charset=utf-8', content });
  return files;
}

/** The operator's text of a page, as an answer that the page comes with; nothing for a page without one. */
export function ownTextOf(
  page: WebPage | undefined,
  settings: PageSettings,
  { legalTexts }: Pick<Market, 'legalTexts'>,
): FirstAnswer[] {
  const file = settings[OWN_TEXTS_META]?.split(' ').find((one) => `/${one}`.startsWith(`${page?.path}.`));
  const text = file && legalTexts.get(file);
  return text ? [[OWN_TEXT_QUERY, text, file]] : [];
}

/** Serves them. */
export function registerMarketFiles(
  app: FastifyInstance,
  files: Awaited<ReturnType<typeof marketFiles>>,
): void {
  for (const [address, { type, content }] of files)
    app.get(address, { schema: { hide: true } }, (_request, reply) =>
      reply
        .type(type)
        .header('cache-control', 'no-cache')
        .header('content-security-policy', DRAWING_POLICY)
        .send(content),
    );
}
