import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { escapeHtml } from '#contract/base/escape-html.ts';
import { pageHtml } from './page.ts';
import { Refusal, textOf } from './server.ts';
import type { SandboxStore } from './store.ts';

const mailSchema = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  messageId: z.string(),
  /** Further headers, by name. */
  headers: z.record(z.string(), z.string()),
});

/** A mail on the developer's page. */
type KeptMail = z.infer<typeof mailSchema> & {
  readonly id: string;
  /** ISO 8601, UTC */
  readonly keptAt: string;
};

const KIND = 'mail';
const KEPT_COUNT = 200;

const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A mail has inline styles. `sandbox` denies it scripts, forms and our origin. */
const MAIL_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox',
].join('; ');

/** Keeps the mails that are posted to /outbox, and shows them on pages for developers. */
export function addOutbox(app: FastifyInstance, store: SandboxStore): void {
  const list = async () => ((await store.list(KIND)) as KeptMail[]).reverse();
  const one = async ({ params }: FastifyRequest): Promise<KeptMail> => {
    const mail = (await store.get(KIND, (params as { id: string }).id)) as KeptMail | undefined;
    if (mail) return mail;
    throw new Refusal('Email not found', {
      status: 404,
      body: { error: 'Email not found', code: 'not_found' },
    });
  };

  app.post('/outbox', async ({ body }, reply) => {
    const mail = mailSchema.parse(JSON.parse(textOf(body)));
    const { to, subject, messageId, headers } = mail;
    // A mail that is sent again replaces the first.
    const id = createHash('sha256').update(messageId).digest('hex').slice(0, 20);
    const shown = { To: to, Subject: subject, 'Message-ID': messageId, ...headers };
    const kept: KeptMail = { ...mail, id, headers: shown, keptAt: new Date().toISOString() };
    await store.put(KIND, id, kept);
    await store.trim(KIND, KEPT_COUNT);
    return reply.status(204).send();
  });

  app.get('/sandbox/mail', async (_request, reply) => sendPage(reply, 'Mail', listHtml(await list())));
  app.get('/sandbox/mail/to/:address', async (request, reply) => {
    const { address } = request.params as { address: string };
    const newest = (await list()).find(({ to }) => to.toLowerCase() === address.toLowerCase());
    return reply.redirect(newest ? `/sandbox/mail/${newest.id}` : '/sandbox/mail');
  });
  app.get('/sandbox/mail/:id', async (request, reply) => {
    const mail = await one(request);
    return sendPage(reply, mail.subject, mailHtml(mail));
  });
  app.get('/sandbox/mail/:id/body', async (request, reply) =>
    sendHtml(reply, MAIL_POLICY, (await one(request)).html).header('x-frame-options', 'SAMEORIGIN'),
  );
}

function sendHtml(reply: FastifyReply, policy: string, html: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .send(html);
}

/** Turns the web addresses in a text into links. */
function linked(text: string): string {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part, i) => (i % 2 ? `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>` : escapeHtml(part)))
    .join('');
}

function timeHtml(iso: string): string {
  return `<time datetime="${escapeHtml(iso)}">${escapeHtml(iso.slice(0, 19).replace('T', ' '))} UTC</time>`;
}

function listHtml(mails: readonly KeptMail[]): string {
  const items = mails.map(
    ({ id, subject, to, keptAt }) => `<li>
<a href="/sandbox/mail/${escapeHtml(id)}">${escapeHtml(subject)}</a>
<p>${escapeHtml(to)} · ${timeHtml(keptAt)}</p>
</li>`,
  );
  return `<h1>Emails that would have been sent</h1>
${items.length > 0 ? `<ul class="mails">\n${items.join('\n')}\n</ul>` : '<p class="empty">No emails yet. They arrive within seconds.</p>'}`;
}

function mailHtml(mail: KeptMail): string {
  const headers = Object.entries(mail.headers).map(
    ([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`,
  );
  return `<h1>${escapeHtml(mail.subject)}</h1>
<dl>
<dt>Kept</dt><dd>${timeHtml(mail.keptAt)}</dd>
${headers.join('\n')}
</dl>
<h2>As plain text</h2>
<pre>${linked(mail.text)}</pre>
<h2>As it looks</h2>
<iframe sandbox title="The email as it looks" src="/sandbox/mail/${escapeHtml(mail.id)}/body"></iframe>`;
}

function sendPage(reply: FastifyReply, title: string, content: string): FastifyReply {
  return sendHtml(
    reply,
    PAGE_POLICY,
    pageHtml({
      theme: 'outbox',
      title: `${title} – developer outbox`,
      header:
        '<p class="brand">ClipSwap <span>developer outbox</span></p><p><a href="/sandbox/mail">All emails</a></p>',
      notice: '<strong>Nothing was sent.</strong> Without SMTP settings, the last 200 emails are kept here.',
      content,
    }),
  );
}
