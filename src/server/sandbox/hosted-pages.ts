import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Exclusive, textOf } from './server.ts';

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

/** One way for a seller to leave the set-up. */
interface Choice {
  readonly label: string;
  readonly hint: string;
}

/** What a link cannot be opened for: a page that says why, or a redirect. */
type Closed = { readonly status: number; readonly content: string } | { readonly redirect: string };

interface SetUp<Link, Name extends string> {
  readonly provider: string;
  readonly choices: Readonly<Record<Name, Choice>>;
  find(token: string): Promise<{ readonly link: Link } | Closed>;
  /** What stands above the choices, HTML. */
  intro(link: Link): string;
  /** Where the seller is sent on to. */
  targets(link: Link): readonly string[];
  /** @returns where the seller goes next */
  finish(link: Link, choice: Name): Promise<string>;
}

/** The pages on which a seller sets up their account: a few ways for it to end. */
export function addSetUpPages<Link, Name extends string>(
  app: FastifyInstance,
  exclusive: Exclusive,
  setUp: SetUp<Link, Name>,
): void {
  const path = '/browser/onboarding/:token';
  const send = (reply: FastifyReply, link: Link) =>
    sendHostedPage(
      reply,
      setUp.provider,
      `${setUp.intro(link)}\n${choicesForm(setUp.choices)}`,
      setUp.targets(link).map((url) => new URL(url).origin),
    );
  const sendClosed = (reply: FastifyReply, closed: Closed) =>
    'redirect' in closed
      ? reply.redirect(closed.redirect, 303)
      : sendHostedPage(reply.status(closed.status), setUp.provider, closed.content);
  const isChoice = (name: string | null): name is Name => name !== null && Object.hasOwn(setUp.choices, name);

  app.get<{ Params: { token: string } }>(path, async ({ params }, reply) => {
    const found = await setUp.find(params.token);
    return 'link' in found ? send(reply, found.link) : sendClosed(reply, found);
  });

  app.post<{ Params: { token: string } }>(path, ({ params, body }, reply) =>
    exclusive(async () => {
      const found = await setUp.find(params.token);
      if (!('link' in found)) return sendClosed(reply, found);
      const choice = new URLSearchParams(textOf(body)).get('choice');
      if (!isChoice(choice)) return send(reply.status(400), found.link);
      return reply.redirect(await setUp.finish(found.link, choice), 303);
    }),
  );
}

/** A form with one button for each way to leave the page. */
function choicesForm(choices: Readonly<Record<string, Choice>>): string {
  const items = Object.entries(choices).map(
    ([name, { label, hint }], index) => `<li>
<button type="submit" name="choice" value="${name}" aria-describedby="hint-${name}"${index === 0 ? ' class="first"' : ''}>${label}</button>
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
 * Sends a page of `provider`'s sandbox. Styles come from a file: nothing is inline.
 * @param content HTML
 * @param returnOrigins where the form's answer sends the browser on to
 */
function sendHostedPage(
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

const bundles = new Map<string, Promise<string>>();

/**
 * One classic script out of a module in ./browser: that is what the providers' own loaders load. Made when it is
 * first asked for, by the bundler that comes with tsx.
 */
export function bundleScript(entry: 'stripe.ts' | 'paypal.ts'): Promise<string> {
  const known = bundles.get(entry) ?? bundle(path.join(import.meta.dirname, 'browser', entry));
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
