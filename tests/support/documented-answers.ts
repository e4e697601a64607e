import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toJSONSchema } from 'zod';
import { ERROR_STATUS, type WireError } from '#contract/base/errors.ts';
import { wireErrorSchema } from '#contract/base/wire-error.ts';

/** Paths that the document does not describe, by how they begin, and why. */
export const UNDOCUMENTED: Readonly<Record<string, string>> = {
  '/api/openapi.json': 'the document itself',
  '/api/docs': 'the document as a page for people',
  '/api/trpc/': 'the API of our own pages, whose types are the routers themselves',
  '/api/webhooks/stripe': 'Stripe describes what it sends and expects',
  '/api/webhooks/paypal': 'PayPal describes what it sends and expects',
  '/api/inbound-mail/': 'the mail provider describes what it sends and expects',
  '/api/apple-wallet/': 'Apple describes what its wallet sends and expects',
  '/api/unsubscribe': 'a link in mails, as RFC 8058 describes it',
  '/api/identities/callback':
    'a provider of sign-ins sends the browser there, as OpenID Connect describes it',
};

interface Answer {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Answers }>>>>;
  readonly components: { readonly responses: Answers };
}
type Answers = Readonly<Record<string, Answer>>;

// The patterns beside the formats say the same, and zod's are not written for the flag `u`.
const ajv = new Ajv2020({ strict: false, validateFormats: false, unicodeRegExp: false });
const validators = new WeakMap<object, ValidateFunction>();
/** Making it takes a quarter of a second: once for all applications of the process. */
let document: Document | null = null;

const refusal = toJSONSchema(wireErrorSchema, { io: 'output' });

/** @returns what does not fit; null if everything does */
function compare(schema: object, value: unknown): string | null {
  // The parts with a name that it refers to.
  const components = document?.components;
  const validate = validators.get(schema) ?? ajv.compile({ ...schema, components });
  validators.set(schema, validate);
  return validate(value) ? null : ajv.errorsText(validate.errors, { dataVar: 'answer' });
}

/** What the document says of an answer with this status; undefined where it does not know the call. */
function describedAnswer(request: FastifyRequest, status: number): Answer | null | undefined {
  document ??= request.server.swagger() as unknown as Document;
  const path = (request.routeOptions.url ?? '').replace(/:(\w+)/g, '{$1}');
  const operation = document.paths[path]?.[request.method.toLowerCase()];
  if (!operation) return undefined;
  const { responses } = operation;
  const answer = responses[status] ?? responses[`${String(status)[0]}XX`] ?? null;
  return answer?.$ref ? document.components.responses[answer.$ref.split('/').at(-1) ?? ''] : answer;
}

/** By tRPC, the refusal is inside of tRPC's own. */
function compareRefusal(value: unknown, status: number): string | null {
  const { error } = value as { error: { data?: { wire: unknown } } | string };
  const wire = typeof error === 'object' ? error.data?.wire : value;
  const fault = compare(refusal, wire);
  if (fault) return fault;
  const { code } = wire as WireError;
  return ERROR_STATUS[code] === status ? null : `the code ${code} has another status`;
}

function findFault(request: FastifyRequest, reply: FastifyReply, payload: unknown): string | null {
  const route = request.routeOptions.url ?? '/*';
  const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
  const type = String(reply.getHeader('content-type') ?? '').split(';')[0] ?? '';
  const isRead = isText && type === 'application/json';
  const value: unknown = isRead ? JSON.parse(String(payload)) : undefined;
  if (reply.statusCode >= 400 && isRead) {
    const fault = compareRefusal(value, reply.statusCode);
    if (fault) return fault;
  }
  if (route === '/*' || Object.keys(UNDOCUMENTED).some((start) => route.startsWith(start))) return null;
  const answer = describedAnswer(request, reply.statusCode);
  if (answer === undefined) return 'the document does not describe this call';
  if (answer === null) return 'the document does not describe this status';
  for (const [name, { required }] of Object.entries(answer.headers ?? {}))
    if (required && !reply.hasHeader(name)) return `the header ${name} is missing`;
  if (!answer.content) return payload ? 'the document describes no body' : null;
  const content = answer.content[type];
  if (!content) return `the document does not describe the content type "${type}"`;
  return isRead ? compare(content.schema, value) : null;
}

/**
 * Compares every answer of the REST API, also refusals, with the application's own OpenAPI document.
 * @returns a function that throws what did not fit since it was called last
 */
export function compareAnswers(app: FastifyInstance): () => void {
  const faults: string[] = [];
  app.addHook('onSend', async (request, reply, payload) => {
    if (!request.url.startsWith('/api/') || request.method === 'HEAD') return;
    const fault = findFault(request, reply, payload);
    if (fault === null) return;
    const body = typeof payload === 'string' ? payload.slice(0, 500) : '';
    faults.push(`${request.method} ${request.url} answered ${reply.statusCode}: ${fault}\n${body}`);
  });
  return () => {
    if (faults.length > 0) throw new Error(faults.splice(0).join('\n'));
  };
}
