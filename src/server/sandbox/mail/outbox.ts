import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { systemClock } from '#server/core/clock.ts';
import { notFound } from '#server/core/errors.ts';
import { escapeHtml } from '#server/core/text.ts';
import { headersOf, type Mail, type Mailer } from '#server/providers/mail/mailer.ts';
import { pageHtml } from '../page.ts';
import type { SandboxStore } from '../store.ts';

/** A mail on the developer's page. */
interface KeptMail extends Mail {
  readonly id: string;
  /** The headers with which it would have been sent, by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** ISO 8601, UTC */
  readonly keptAt: string;
}

/** Keeps mail for the developer's page instead of sending it. */
export interface Outbox extends Mailer {
  readonly kept: {
    /** Newest first. */
    list(): Promise<KeptMail[]>;
    find(id: string): Promise<KeptMail | null>;
  };
}

const KIND = 'mail';
const KEPT_COUNT = 200;

export function createOutbox(store: SandboxStore): Outbox {
  return {
    transport: 'outbox',
    async send(mail) {
      // A mail that is sent again replaces the first.
      const id = createHash('sha256').update(mail.messageId).digest('hex').slice(0, 20);
      const kept: KeptMail = {
        ...mail,
        id,
        headers: {
          To: mail.to,
          Subject: mail.subject,
          'Message-ID': mail.messageId,
          ...headersOf(mail),
        },
        keptAt: systemClock().toISOString(),
      };
      await store.put(KIND, id, kept);
      await store.trim(KIND, KEPT_COUNT);
    },
    kept: {
      async list() {
        return ((await store.list(KIND)) as KeptMail[]).reverse();
      },
      async find(id) {
        return ((await store.get(KIND, id)) as KeptMail | undefined) ?? null;
      },
    },
    pageOf: (address, ip) => (isThisMachine(ip) ? `/sandbox/mail/to/${encodeURIComponent(address)}` : null),
    async close() {},
  };
}

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

/**
 * The developer's page of kept mail. Its links open other people's accounts, so it is served to this machine only.
 */
export function addOutboxPage(app: FastifyInstance, { kept }: Outbox): void {
  const guard = {
    schema: { hide: true },
    onRequest: async (request: FastifyRequest) => refuseOthers(request),
  };
  const one = async (request: FastifyRequest): Promise<KeptMail> => {
    const mail = await kept.find((request.params as { id: string }).id);
    if (!mail) throw notFound('Mail');
    return mail;
  };
  app.get('/sandbox/mail', guard, async (_request, reply) =>
    sendPage(reply, 'Mail', listHtml(await kept.list())),
  );
  app.get('/sandbox/mail/to/:address', guard, async (request, reply) => {
    const { address } = request.params as { address: string };
    const newest = (await kept.list()).find(({ to }) => to.toLowerCase() === address.toLowerCase());
    return reply.redirect(newest ? `/sandbox/mail/${newest.id}` : '/sandbox/mail');
  });
  app.get('/sandbox/mail/:id', guard, async (request, reply) => {
    const mail = await one(request);
    return sendPage(reply, mail.subject, mailHtml(mail));
  });
  app.get('/sandbox/mail/:id/body', guard, async (request, reply) =>
    sendHtml(reply, MAIL_POLICY, (await one(request)).html).header('x-frame-options', 'SAMEORIGIN'),
  );
}

/** Checks the address and also the host name: somebody else's name may be made to resolve to this machine. */
function refuseOthers({ ip, hostname }: FastifyRequest): void {
  const isCalledHere = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
  if (!isThisMachine(ip) || !isCalledHere) throw notFound('Page');
}

function isThisMachine(ip: string): boolean {
  const bare = ip.replace(/^::ffff:/i, '');
  return bare === '::1' || (isIPv4(bare) && bare.startsWith('127.'));
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
  return `<h1>Mail that would have gone out</h1>
${items.length > 0 ? `<ul class="mails">\n${items.join('\n')}\n</ul>` : '<p class="empty">No mail yet. It comes within seconds of what it tells of.</p>'}`;
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
<iframe sandbox title="The mail as it looks" src="/sandbox/mail/${escapeHtml(mail.id)}/body"></iframe>`;
}

function sendPage(reply: FastifyReply, title: string, content: string): FastifyReply {
  return sendHtml(
    reply,
    PAGE_POLICY,
    pageHtml({
      theme: 'outbox',
      title: `${title} – developer outbox`,
      header:
        '<p class="brand">ClipSwap <span>developer outbox</span></p><p><a href="/sandbox/mail">All mail</a></p>',
      notice: '<strong>Nothing was sent.</strong> Without SMTP settings mail is kept here: the last 200.',
      content,
    }),
  );
}
