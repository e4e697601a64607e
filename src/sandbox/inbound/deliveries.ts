import { createHmac, randomBytes, randomUUID } from 'node:crypto';

/** A mail that somebody sends to a private address. */
export interface SentMail {
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly messageId?: string;
  readonly attachments?: readonly {
    readonly filename?: string;
    readonly contentType?: string;
    readonly content: string | Buffer;
    /** Within the HTML, where it is `cid:` and this. */
    readonly cid?: string;
  }[];
}

/** A call of the marketplace's webhook. */
export interface Delivery {
  /** The end of its path. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The mail as mail servers hand it on (RFC 5322). */
export async function rawMail(mail: SentMail): Promise<string> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { attachments = [], ...fields } = mail;
  const { message } = await transport.sendMail({
    ...fields,
    attachments: attachments.map((file) => ({ ...file })),
  });
  return String(message);
}

/** As Postmark delivers it, with "Include raw email content in JSON payload". */
export function postmarkDelivery(mail: SentMail, raw: string, password: string): Delivery {
  const { to, from, subject, text = '', html = '' } = mail;
  const person = (address: string) => ({ Email: address, Name: '', MailboxHash: '' });
  const payload = {
    FromName: '',
    MessageStream: 'inbound',
    From: from,
    FromFull: person(from),
    To: to,
    ToFull: [person(to)],
    Cc: '',
    CcFull: [],
    Bcc: '',
    BccFull: [],
    OriginalRecipient: to,
    Subject: subject,
    MessageID: randomUUID(),
    ReplyTo: '',
    MailboxHash: '',
    Date: new Date().toUTCString(),
    TextBody: text,
    HtmlBody: html,
    StrippedTextReply: '',
    Tag: '',
    Headers: [],
    Attachments: [],
    RawEmail: raw,
  };
  const headers = { 'content-type': 'application/json', ...basicAuth(password) };
  return { path: 'postmark', headers, body: Buffer.from(JSON.stringify(payload)) };
}

/** As Mailgun signs a delivery. */
export function mailgunSignature(key: string, at: Date) {
  const [timestamp, token] = [String(Math.floor(at.getTime() / 1_000)), randomBytes(25).toString('hex')];
  const signature = createHmac('sha256', key).update(`${timestamp}${token}`).digest('hex');
  return { timestamp, token, signature };
}

/** As a route of Mailgun's delivers it with forward() to an address that ends in "mime". */
export async function mailgunDelivery(
  { to, from, subject }: SentMail,
  raw: string | Uint8Array<ArrayBuffer>,
  signed: ReturnType<typeof mailgunSignature>,
): Promise<Delivery> {
  const fields = { ...signed, recipient: to, sender: from, from, subject, 'body-mime': raw };
  return { path: 'mailgun/mime', ...(await formOf(fields)) };
}

/** As Inbound Parse of SendGrid delivers it, with "POST the raw, full MIME message". */
export async function sendgridDelivery(
  { to, from, subject }: SentMail,
  raw: string | Uint8Array<ArrayBuffer>,
  password: string,
): Promise<Delivery> {
  const { headers, body } = await formOf({
    ...{
      dkim: '{@example.org : pass}',
      email: raw,
      to,
      from,
      subject,
      sender_ip: '192.0.2.1',
      spam_score: '0.1',
    },
    envelope: JSON.stringify({ to: [to], from }),
    charsets: JSON.stringify({ to: 'UTF-8', from: 'UTF-8', subject: 'UTF-8' }),
    SPF: 'pass',
  });
  return { path: 'sendgrid', headers: { ...headers, ...basicAuth(password) }, body };
}

/** Of the user and password in the webhook's address. */
function basicAuth(password: string) {
  return { authorization: `Basic ${Buffer.from(`clipswap:${password}`).toString('base64')}` };
}

/** A form of text fields, of which the mail may be bytes: they have no names of files. */
async function formOf(fields: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>) {
  const boundary = randomUUID();
  const parts = Object.entries(fields).map(([name, value]) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
      Buffer.from(typeof value === 'string' ? Buffer.from(value) : value),
      Buffer.from('\r\n'),
    ]),
  );
  const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body };
}
