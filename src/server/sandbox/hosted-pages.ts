import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { bundleScript } from './browser/bundle.ts';

/** One way in which a page of a stand-in may be left. */
export interface Choice<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly hint: string;
}

/** Serves the style of the sandboxes' pages, and the script in place of the provider's own. */
export function addHostedFiles(
  app: FastifyInstance,
  { path, script }: { path: string; script: Parameters<typeof bundleScript>[0] },
): void {
  const send = (reply: FastifyReply, type: string, content: string) =>
    reply.type(`${type}; charset=utf-8`).header('cache-control', 'no-cache').send(content);
  app.get(path, async (_request, reply) => send(reply, 'text/javascript', await bundleScript(script)));
  app.get('/browser/hosted.css', async (_request, reply) =>
    send(reply, 'text/css', await readFile(new URL('hosted.css', import.meta.url), 'utf8')),
  );
}

/** A form that is one button for each way to leave the page, sent as `field`. */
export function choicesForm<Name extends string>(field: string, choices: readonly Choice<Name>[]): string {
  const items = choices.map(
    ({ name, label, hint }, index) => `<li>
<button type="submit" name="${field}" value="${name}" aria-describedby="hint-${name}"${index === 0 ? ' class="first"' : ''}>${label}</button>
<p id="hint-${name}">${hint}</p>
</li>`,
  );
  return `<form method="post">
<ul>
${items.join('\n')}
</ul>
</form>`;
}

/**
 * Sends a page of `provider`'s stand-in. Styles come from a file: nothing is inline.
 * @param content HTML
 * @param returnOrigins where the form's answer sends the browser on to
 */
export function sendHostedPage(
  reply: FastifyReply,
  provider: string,
  content: string,
  returnOrigins: readonly string[] = [],
) {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    // Some browsers ask for the icon of a site, whatever the page says.
    "img-src 'self'",
    `form-action ${["'self'", ...new Set(returnOrigins)].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy.join('; '))
    .header('cache-control', 'no-store')
    .send(hostedPage(provider, content));
}

function hostedPage(provider: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${provider} sandbox</title>
<link rel="stylesheet" href="../hosted.css">
</head>
<body>
<header><p class="brand">${provider} <span>sandbox</span></p></header>
<main>
<p class="notice"><strong>No real money moves.</strong> This page stands in for ${provider}, and no real account is made.</p>
${content}
</main>
</body>
</html>
`;
}
