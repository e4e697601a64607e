import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { pageHtml } from './page.ts';
import { type SandboxServer, textOf } from './server.ts';

/** Serves the script that replaces the provider's own. */
export function addScript(
  app: FastifyInstance,
  url: string,
  entry: Parameters<typeof bundleScript>[0],
): void {
  app.get(url, async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await bundleScript(entry)),
  );
}

/** A way for a seller to leave the set-up. */
interface Choice {
  readonly label: string;
  readonly hint: string;
}

/** For a link that cannot be opened: a page that says why, or a redirect. */
type Closed = { readonly status: number; readonly content: string } | { readonly redirect: string };

interface SetUp<Link, Name extends string> {
  readonly provider: string;
  readonly choices: Readonly<Record<Name, Choice>>;
  find(token: string): Promise<{ readonly link: Link } | Closed>;
  /** HTML above the choices. */
  intro(link: Link): string;
  /** The addresses to which the choices can lead. */
  targets(link: Link): readonly string[];
  /** @returns the address to which the seller goes next */
  finish(link: Link, choice: Name): Promise<string>;
}

/** The pages on which a seller sets up their account: one button for each way to leave. */
export function addSetUpPages<Link, Name extends string>(
  { app, exclusive, pages }: SandboxServer,
  setUp: SetUp<Link, Name>,
): void {
  const path = `${pages}/browser/onboarding/:token`;
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

function choicesForm(choices: Readonly<Record<string, Choice>>): string {
  const items = Object.entries(choices).map(
    ([name, { label, hint }], index) => `<li>
<button type="submit" name="choice" value="${name}" aria-describedby="hint-${name}"${index === 0 ? ' class="first"' : ''}>${label}</button>
<p id="hint-${name}">${hint}</p>
</li>`,
  );
  return `<form method="post">
<ul class="choices">
${items.join('\n')}
</ul>
</form>`;
}

/**
 * @param content HTML
 * @param returnOrigins to which the form's answer may redirect
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
    // For browsers that always request the site's icon.
    "img-src 'self'",
    `form-action ${["'self'", ...new Set(returnOrigins)].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy.join('; '))
    .header('cache-control', 'no-store')
    .send(
      pageHtml({
        theme: 'provider',
        title: `${provider} sandbox`,
        header: `<p class="brand">${provider} <span>sandbox</span></p>`,
        notice: `<strong>No real money moves.</strong> This page stands in for ${provider}, and no real account is made.`,
        content,
      }),
    );
}

const bundles = new Map<string, Promise<string>>();

/** Bundles a module of ./browser into a classic script, which the providers' loaders expect. Once a process. */
export function bundleScript(entry: 'stripe.ts' | 'paypal.ts'): Promise<string> {
  const known =
    bundles.get(entry) ?? bundle(fileURLToPath(import.meta.resolve(`#root/src/sandbox/browser/${entry}`)));
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
