import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import iconv from 'iconv-lite';
import { z } from 'zod';
import type { InboundMailSettings } from '#server/core/provider-settings.ts';
import { DeliveryRefusal, type InboundMail } from './inbound-mail.ts';

/** The user in the webhook's address, where the provider sends a password. */
const WEBHOOK_USER = 'clipswap';

/** How far a signature's time may be from ours. */
const SIGNATURE_SECONDS = 600;

/** The longest token or signature, in characters. */
const SIGNED_MAX = 1_000;

/** Reads the deliveries of the provider that is set up. */
export function openInboundMail({ provider, domain, secret }: InboundMailSettings): InboundMail {
  return { provider, domain, ...{ postmark, mailgun, sendgrid }[provider](secret) };
}

type Open = (secret: string) => Omit<InboundMail, 'provider' | 'domain'>;

/** A password in the webhook's address, which arrives in a header. */
const byPassword = (secret: string): Pick<InboundMail, 'proofFields' | 'prove'> => ({
  proofFields: [],
  prove({ authorization = '' }) {
    const expected = `Basic ${Buffer.from(`${WEBHOOK_USER}:${secret}`).toString('base64')}`;
    if (!isSame(authorization, expected)) throw new DeliveryRefusal('The password is wrong');
    return null;
  },
});

const postmarkSchema = z.object({ OriginalRecipient: z.string(), RawEmail: z.string().min(1) });

/** https://postmarkapp.com/developer/webhooks/inbound-webhook, with "Include raw email content in JSON payload". */
const postmark: Open = (secret) => ({
  ...byPassword(secret),
  ...{ body: 'json', mailField: null },
  read(fields) {
    const { OriginalRecipient, RawEmail } = read(postmarkSchema, fields);
    return { recipients: [OriginalRecipient], raw: bytesOfText(RawEmail) };
  },
});

const signatureSchema = z.object({
  timestamp: z.string().regex(/^\d{1,12}$/),
  token: z.string().min(1).max(SIGNED_MAX),
  signature: z.string().max(SIGNED_MAX),
});
const bytesSchema = z.instanceof(Uint8Array).refine(({ length }) => length > 0);
const mailgunSchema = z.object({ recipient: z.string(), 'body-mime': bytesSchema });

/** https://documentation.mailgun.com: a route's forward() to an address that ends in "mime", and its signature. */
const mailgun: Open = (secret) => ({
  ...{ body: 'form', mailField: 'body-mime' },
  proofFields: Object.keys(signatureSchema.shape),
  prove({ fields }, now) {
    const { timestamp, token, signature } = read(signatureSchema, fields);
    const expected = createHmac('sha256', secret).update(`${timestamp}${token}`).digest('hex');
    if (!isSame(signature, expected)) throw new DeliveryRefusal('The signature is wrong');
    if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > SIGNATURE_SECONDS)
      throw new DeliveryRefusal('The signature is too old');
    return token;
  },
  read(fields) {
    const { recipient, 'body-mime': raw } = read(mailgunSchema, fields);
    return { recipients: recipient.split(','), raw };
  },
});

const sendgridSchema = z.object({ envelope: z.string(), email: bytesSchema });
const envelopeSchema = z.object({ to: z.array(z.string()) });

/** https://www.twilio.com/docs/sendgrid, Inbound Parse with "POST the raw, full MIME message". */
const sendgrid: Open = (secret) => ({
  ...byPassword(secret),
  ...{ body: 'form', mailField: 'email' },
  read(fields) {
    const { envelope, email } = read(sendgridSchema, fields);
    return { recipients: read(envelopeSchema, jsonOf(envelope)).to, raw: email };
  },
});

/**
 * The bytes of a mail that came as text. What Postmark has decoded in a charset of a part is encoded in it again, where the
 * parts name only one; else it is UTF-8.
 */
function bytesOfText(raw: string): Uint8Array {
  const named = new Set(
    [...raw.matchAll(/\bcharset\s{0,3}=\s{0,3}"?([\w.-]{1,40})/gi)].map(([, name = '']) =>
      name.toLowerCase(),
    ),
  );
  const [charset = 'utf-8', other] = named;
  const isPlain = !/[^\0-\x7f]/.test(raw);
  const encoding = isPlain || other !== undefined || !iconv.encodingExists(charset) ? 'utf-8' : charset;
  return iconv.encode(raw, encoding);
}

function read<Fields>(schema: z.ZodType<Fields>, given: unknown): Fields {
  const { data, error } = schema.safeParse(given);
  if (data === undefined) throw new DeliveryRefusal('The delivery lacks fields', { cause: error });
  return data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Takes as long for every text of a length. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
