import { z } from 'zod';
import { type Api, parseJson, readBody } from './http.ts';
import { isSigned } from './webhooks.ts';

const EVENT_FIELD = '"webhook_event":';

const questionSchema = z.object({
  transmission_id: z.string(),
  transmission_time: z.string(),
  transmission_sig: z.string(),
  cert_url: z.string(),
  auth_algo: z.string(),
  webhook_id: z.string(),
  webhook_event: z.record(z.string(), z.unknown()),
});

/** Says whether a signature is of the event's very bytes. */
export function addVerification(api: Api, keys: { webhookId: string; signingKey: string }): void {
  api.post('/v1/notifications/verify-webhook-signature', async (request) => {
    const question = readBody(request, questionSchema);
    const transmission = { id: question.transmission_id, time: question.transmission_time };
    const isOurs = question.webhook_id === keys.webhookId;
    const isGood =
      isOurs && isSigned(keys, transmission, eventText(request.rawBody), question.transmission_sig);
    return { status: 200, body: { verification_status: isGood ? 'SUCCESS' : 'FAILURE' } };
  });
}

/** The event as it was written, the last field of the question. Inside a text its name's quotes would be escaped. */
function eventText(rawBody: string): string {
  const text = rawBody.slice(rawBody.indexOf(EVENT_FIELD) + EVENT_FIELD.length, rawBody.lastIndexOf('}'));
  parseJson(text);
  return text;
}
