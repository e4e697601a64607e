import type { FastifyInstance, FastifyReply } from 'fastify';
import { escapeHtml } from '#contract/base/escape-html.ts';
import { pageHtml } from '#sandbox/page.ts';
import { mailgunDelivery, mailgunSignature, rawMail } from './deliveries.ts';

/** What a mail may have, in bytes. */
const BODY_LIMIT = 25 * 1024 * 1024;

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

interface Options {
  /** Where the marketplace listens, null before it does. */
  readonly marketplace: () => string | null;
  /** The signing key of webhooks. */
  readonly secret: string;
}

/** The page from which a mail is sent to somebody's private address, as Mailgun delivers it. */
export function addInboundPage(app: FastifyInstance, { marketplace, secret }: Options): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    scope.get('/sandbox/inbound', async (_request, reply) => send(reply, null));
    scope.post('/sandbox/inbound', async ({ headers, body }, reply) => {
      const form = await new Response(new Uint8Array(body as Buffer), {
        headers: { 'content-type': headers['content-type'] ?? '' },
      }).formData();
      const text = (name: string) => String(form.get(name) ?? '').trim();
      const files = form.getAll('files').filter((file) => file instanceof File && file.size > 0) as File[];
      const mail = {
        ...{ to: text('to'), from: text('from'), subject: text('subject'), text: text('text') },
        attachments: await Promise.all(
          files.map(async (file) => ({
            filename: file.name,
            contentType: file.type,
            content: Buffer.from(await file.arrayBuffer()),
          })),
        ),
      };
      const signed = mailgunSignature(secret, new Date());
      const delivery = await mailgunDelivery(mail, await rawMail(mail), signed);
      const answer = await fetch(`${marketplace()}/api/inbound-mail/${delivery.path}`, {
        method: 'POST',
        headers: delivery.headers,
        body: new Uint8Array(delivery.body),
      });
      const said = answer.ok ? 'The mail was delivered.' : `ClipSwap answered ${answer.status}.`;
      return send(reply.status(answer.ok ? 200 : 409), said);
    });
  });
}

function send(reply: FastifyReply, message: string | null): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', POLICY)
    .header('cache-control', 'no-store')
    .send(
      pageHtml({
        theme: 'outbox',
        title: 'Send a mail to ClipSwap – sandbox',
        header: '<p class="brand">ClipSwap <span>sandbox</span></p><p><a href="/">Back to ClipSwap</a></p>',
        notice:
          '<strong>No mail server is asked.</strong> The mail is delivered as Mailgun does. Its address is on the page “Add many coupons”.',
        content: `<h1>Send a mail to ClipSwap</h1>
${message === null ? '' : `<p role="status" class="notice">${escapeHtml(message)}</p>`}
<form method="post" action="/sandbox/inbound" enctype="multipart/form-data" class="act tall" aria-label="Mail">
<label>To <input name="to" type="email" required autocomplete="off"></label>
<label>From <input name="from" type="email" required value="vouchers@shop.example"></label>
<label>Subject <input name="subject" value="Your voucher"></label>
<label>Files <input name="files" type="file" multiple></label>
<label>Text <textarea name="text" rows="5"></textarea></label>
<button type="submit">Send</button>
</form>`,
      }),
    );
}
