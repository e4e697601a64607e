import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { leftOutSchema } from '#contract/coupons/left-out.ts';
import { DeliveryRefusal } from '#server/providers/inbound-mail/inbound-mail.ts';
import { openInboundMail } from '#server/providers/inbound-mail/open-inbound-mail.ts';
import { type ProviderEvent, ProviderRefusal } from '#server/providers/payments.ts';
import type { PaypalClient } from '#server/providers/paypal/client.ts';
import { readEvent as readPaypalEvent } from '#server/providers/paypal/events.ts';
import { createStripeClient } from '#server/providers/stripe/client.ts';
import { readEvent as readStripeEvent } from '#server/providers/stripe/events.ts';
import { openMail } from '#server/readers/mails/opening.ts';
import { mailPartSchema } from '#server/readers/mails/parts.ts';
import { jsonOf, promise, type Target, textTarget, unlessRefused } from './target.ts';

const SECRET = 'whsec_fuzz';
const stripe = createStripeClient({
  secretKey: 'sk_test_fuzz',
  webhookSecrets: [SECRET],
  apiBase: 'https://api.stripe.com',
});
const PAYPAL = { webhookId: 'WH-1' } as Parameters<typeof readPaypalEvent>[1];

function checkEvent(event: ProviderEvent | null): void {
  if (event === null) return;
  const { subject } = event;
  promise(event.id !== '' && typeof event.type === 'string', 'an event has an id and a type');
  if (subject.kind === 'payment')
    promise(
      subject.publicId === null || /^[\da-f-]{36}$/.test(subject.publicId),
      'a payment has a public id',
    );
  if (subject.kind === 'account')
    promise(subject.userId === null || Number.isSafeInteger(subject.userId), 'an account has a person');
}

const eventOf = (type: string, object: object) =>
  JSON.stringify({ id: 'evt_1', object: 'event', type, account: 'acct_1', data: { object } });
const PAYMENT = '0190163d-8694-739b-aea5-966c26f8ad91';

async function readSplicedEvent(raw: string): Promise<void> {
  const given: unknown = jsonOf(raw);
  const ask: PaypalClient = async ({ rawBody }, answer) => {
    if (rawBody === undefined) return answer.parse({});
    const { webhook_id: webhook, webhook_event: event } = JSON.parse(rawBody);
    promise(webhook === PAYPAL.webhookId, 'the question names our webhook');
    promise(isDeepStrictEqual(event, given), 'the question holds the event');
    return answer.parse({ verification_status: 'SUCCESS' });
  };
  const headers = {
    'paypal-transmission-id': 'a',
    'paypal-transmission-time': new Date().toISOString(),
    'paypal-transmission-sig': 'b',
    'paypal-cert-url': 'https://api.paypal.com/cert',
    'paypal-auth-algo': 'SHA256withRSA',
  };
  try {
    checkEvent(await readPaypalEvent(ask, PAYPAL, raw, headers));
  } catch (error) {
    // The last is of the capture that the stand-in does not have.
    if (!(error instanceof ProviderRefusal || error instanceof z.ZodError)) throw error;
  }
}

const MAIL = `From: Shear Joy <shear@joy.example>
Subject: =?utf-8?B?QnJpbmcgw6k=?=
Content-Type: multipart/mixed; boundary=a

--a
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<p>10% off<br>Code: SAVE=31=30</p>
--a
Content-Type: text/csv; name*=utf-8''a%2Ecsv
Content-Disposition: attachment

code,title
--a--
`.replaceAll('\n', '\r\n');

export const DELIVERY_TARGETS: readonly Target[] = [
  textTarget({
    name: 'events-of-stripe',
    seeds: [
      eventOf('charge.refunded', {
        object: 'charge',
        payment_intent: 'pi_1',
        metadata: { payment_id: PAYMENT },
      }),
      eventOf('account.updated', { object: 'account', id: 'acct_1', metadata: { seller_id: '7' } }),
      '{"id":"evt_1","object":"v2.core.event","type":"v2.core.account.closed","related_object":{"id":"acct_1","type":"v2.core.account"}}',
    ],
    parts: ['{"a":', '[', '"', ' ', '9'],
    longest: 200_000,
    read(body) {
      const time = Math.floor(Date.now() / 1_000);
      const sum = createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex');
      const read = (signature: string) =>
        unlessRefused(
          () => readStripeEvent(stripe, [SECRET], body, { 'stripe-signature': signature }),
          ProviderRefusal,
        );
      return Promise.all([
        read(`t=${time},v1=${sum}`).then(checkEvent),
        read(body.slice(0, 10_000)).then((event) => promise(event === null, 'nobody guesses a signature')),
      ]);
    },
  }),
  textTarget({
    name: 'events-of-paypal',
    seeds: [
      JSON.stringify({
        id: 'WH-2',
        event_type: 'CHECKOUT.ORDER.APPROVED',
        resource: { id: '5O1', purchase_units: [{ custom_id: PAYMENT }] },
      }),
      JSON.stringify({
        id: 'WH-3',
        event_type: 'CUSTOMER.DISPUTE.CREATED',
        resource: { disputed_transactions: [{ custom: PAYMENT }] },
      }),
      '{"id":"WH-4","event_type":"A"},"webhook_id":"mine"',
    ],
    parts: ['{"a":', '[', '"', ' ', '9', '},'],
    longest: 200_000,
    read: readSplicedEvent,
  }),
  textTarget({
    name: 'deliveries-of-mails',
    seeds: [
      JSON.stringify({ OriginalRecipient: 'a@in.example', RawEmail: MAIL }),
      JSON.stringify({ envelope: '{"to":["a@in.example"]}', email: MAIL }),
      JSON.stringify({
        timestamp: '1',
        token: 'a',
        signature: 'b',
        recipient: 'a@in.example,b',
        'body-mime': MAIL,
      }),
    ],
    parts: ['{"a":', '"', ' '],
    read(text) {
      const fields = Object(jsonOf(text)) as Record<string, unknown>;
      const token = String(fields.token);
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const signature = createHmac('sha256', SECRET).update(`${timestamp}${token}`).digest('hex');
      const authorization = `Basic ${Buffer.from(`clipswap:${SECRET}`).toString('base64')}`;
      for (const provider of ['postmark', 'mailgun', 'sendgrid'] as const) {
        const inbound = openInboundMail({ provider, domain: 'in.example', secret: SECRET });
        const bytes =
          inbound.mailField === null
            ? {}
            : { [inbound.mailField]: Buffer.from(String(fields[inbound.mailField] ?? '')) };
        const given = { ...fields, ...bytes, ...(provider === 'mailgun' && { timestamp, signature }) };
        const read = (proof: string) => {
          try {
            inbound.prove({ authorization: proof, fields: given }, new Date());
            return inbound.read(given);
          } catch (error) {
            if (error instanceof DeliveryRefusal) return null;
            throw error;
          }
        };
        const mail = read(authorization);
        promise(
          !mail || (mail.raw.length > 0 && mail.recipients.every((each) => typeof each === 'string')),
          'a mail has a text',
        );
        promise(provider === 'mailgun' || read(text) === null, 'nobody guesses a password');
      }
    },
  }),
  {
    name: 'mails',
    seeds: [MAIL, 'From: a\r\n\r\n<p>b'],
    parts: [
      'a: b\r\n',
      ' ',
      '--a\r\n',
      '=?utf-8?B?',
      '<',
      '<p>',
      '(',
      '"',
      ',',
      '=\r\n',
      'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n',
      ';a*0=b',
      '<!--',
      '&',
      'Content-Type: message/rfc822\r\n\r\n',
      '<tr><td>',
      '<style>.a{display:none}',
      '<td style="display:none',
      '\u200b',
    ],
    longest: 200_000,
    packages: ['postal-mime', 'cheerio', 'htmlparser2'],
    async parse(input) {
      const { parts, leftOut } = (await openMail(input)) ?? { parts: [], leftOut: [] };
      z.array(mailPartSchema).parse(parts);
      z.array(leftOutSchema).parse(leftOut);
      promise(parts.length <= 20, 'a mail has few parts');
      for (const { from, subject } of parts)
        promise(from.length <= 200 && subject.length <= 200, 'the lines of a mail are bounded');
    },
  },
];
