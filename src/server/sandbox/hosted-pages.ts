import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** One way in which a page of a stand-in may be left. */
export interface Choice<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly hint: string;
}

/** Serves the style of the stand-ins' pages, and the script that stands in for the provider's own. */
export function addHostedFiles(app: FastifyInstance, { path, file }: { path: string; file: string }): void {
  const send = async (reply: FastifyReply, name: string, type: string) =>
    reply
      .header('content-type', type)
      .header('cache-control', 'no-cache')
      .send(await readFile(new URL(name, import.meta.url)));
  app.get(path, (_request, reply) => send(reply, file, 'text/javascript; charset=utf-8'));
  app.get('/browser/hosted.css', (_request, reply) => send(reply, 'hosted.css', 'text/css; charset=utf-8'));
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
