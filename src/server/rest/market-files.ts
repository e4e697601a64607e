import type { FastifyInstance } from 'fastify';
import { PAGE_GROUND } from '#contract/base/grounds.ts';
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
