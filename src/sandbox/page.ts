import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '#contract/base/escape-html.ts';

interface SandboxPage {
  /** Its colours. */
  readonly theme: 'outbox' | 'provider';
  readonly title: string;
  /** HTML */
  readonly header: string;
  /** HTML: what is not real here. */
  readonly notice: string;
  /** HTML */
  readonly content: string;
}

const STYLES_URL = '/sandbox/page.css';

/** Serves the styles of the sandbox's pages. They are a file because the pages' policies forbid inline styles. */
export function addPageStyles(app: FastifyInstance): void {
  app.get(STYLES_URL, async (_request, reply) =>
    reply
      .type('text/css; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await readFile(new URL('page.css', import.meta.url))),
  );
}

/** The frame of every page of the sandbox. */
export function pageHtml({ theme, title, header, notice, content }: SandboxPage): string {
  return `<!doctype html>
<html lang="en" class="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${STYLES_URL}">
</head>
<body>
<header>${header}</header>
<main>
<p class="notice">${notice}</p>
${content}
</main>
</body>
</html>
`;
}
