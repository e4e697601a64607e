import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { marketName } from '#contract/base/market.ts';
import { baseCurrency } from '#contract/base/money.ts';
import { wireErrorSchema } from '#contract/base/wire-error.ts';
import type { ApiScope } from '#contract/people/api-keys.ts';
import { TEST_EVENT, WEBHOOK_EVENTS, webhookBodySchema } from '#contract/people/webhooks.ts';
import type { Config } from '#server/core/config.ts';
import { appRouter } from '#server/router.ts';
import { sessionCookieName } from '#server/trpc/context.ts';
import { neededScopes } from '#server/trpc/scopes.ts';
import { REST_CALLS, type RestCall } from './table.ts';
import { TRPC_PREFIX } from './trpc-handler.ts';

interface JsonSchema {
  type?: string;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  [key: string]: unknown;
}

interface ProcedureDefinition {
  type: 'query' | 'mutation';
  inputs: z.ZodType[];
  output?: z.ZodType;
  meta?: { summary?: string; isForMembers?: boolean };
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest as JsonSchema;
}

/** How the API writes money and time. */
export function units(): string {
  return (
    `Amounts are in ${baseCurrency()}. Bids, payments and fees are decimal texts ("12.50"). Values of coupons are ` +
    'integers: cents, or hundredths of a per cent. Each field says which it is. Instants are UTC.'
  );
}

function definitionOf(path: string): ProcedureDefinition {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: ProcedureDefinition }>;
  const procedure = procedures[path];
  if (!procedure) throw new Error(`The REST API names a procedure that is not there: ${path}`);
  return procedure._def;
}

/** The scopes that a key needs for a call; null: no key may make it. @param path the name of its procedure */
export function scopesOf(path: string): ApiScope[] | null {
  return neededScopes(path, definitionOf(path).type);
}

/**
 * Who may make a call, for the document: a key with these scopes, a browser that is signed in, and, where it is public,
 * anybody. OpenAPI 3.1 has scopes for every kind of scheme.
 * @param path the name of its procedure
 */
export function securityOf(path: string): { [scheme: string]: string[] }[] {
  const scopes = scopesOf(path);
  const isPublic = !definitionOf(path).meta?.isForMembers;
  return [...(isPublic ? [{}] : []), ...(scopes ? [{ key: scopes }] : []), { session: [] }];
}

/** The part of an object schema with the properties that `keep` accepts; undefined when there are none. */
function pick(schema: JsonSchema, keep: (name: string) => boolean): JsonSchema | undefined {
  const names = Object.keys(schema.properties ?? {}).filter(keep);
  if (names.length === 0) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, schema.properties?.[name] ?? {}])),
    required: (schema.required ?? []).filter(keep),
    ...('additionalProperties' in schema && { additionalProperties: schema.additionalProperties }),
  };
}

/** Unique in the document: a second path of the same call gets the suffix `.alias`. */
function operationId(call: RestCall): string {
  const idOf = ({ procedure, input }: RestCall) => [procedure, ...Object.values(input)].join('.');
  const id = idOf(call);
  return REST_CALLS.find((other) => idOf(other) === id) === call ? id : `${id}.alias`;
}

/** The type that a text from the address may stand for; of several, the first. */
function typeOf({ type, anyOf }: JsonSchema): string {
  return type ?? anyOf?.[0]?.type ?? '';
}

/** Reading the schemas of all calls takes long, and they stay the same. */
const descriptions = new Map<RestCall, ReturnType<typeof readDescription>>();

/** Describes a call by the procedure's own schemas: for reading inputs, and for the documentation. */
export function describeCall(call: RestCall) {
  const description = descriptions.get(call) ?? readDescription(call);
  descriptions.set(call, description);
  return description;
}

function readDescription(call: RestCall) {
  const procedure = definitionOf(call.procedure);
  const input = procedure.inputs[0] ? toJsonSchema(procedure.inputs[0], 'input') : {};
  const output = procedure.output ? toJsonSchema(procedure.output, 'output') : {};
  const inPath = (name: string) => call.path.split('/').includes(`:${name}`);
  const rest = pick(input, (name) => !inPath(name) && !(name in call.input));
  const params = pick(input, inPath);
  // A page of a list is answered as a bare array; the rest goes into X-Total-Count and Link.
  const isPage = output.properties?.nextCursor !== undefined;
  const answer = isPage ? (output.properties?.items ?? {}) : output;
  return {
    isPage,
    /** The JSON type of each input property, for converting texts from the address. */
    inputTypes: Object.fromEntries(
      Object.entries(input.properties ?? {}).map(([name, property]) => [name, typeOf(property)]),
    ),
    schema: {
      summary: procedure.meta?.summary ?? '',
      operationId: operationId(call),
      tags: [call.procedure.split('.')[0] ?? ''],
      security: securityOf(call.procedure),
      ...(params && { params }),
      ...(rest && (call.method === 'GET' ? { querystring: rest } : { body: rest })),
      response: { [call.status]: { description: 'Success', ...answer } },
    },
  };
}

const SIGNED = 'Signed as Standard Webhooks describe; any 2xx status takes it';

/** What we send to people's own programs. */
function describeWebhooks() {
  const headers = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
    name,
    in: 'header' as const,
    required: true,
    schema: { type: 'string' as const },
  }));
  // OpenAPI knows more ways to write a schema than its types do.
  return Object.fromEntries(
    ([...WEBHOOK_EVENTS, TEST_EVENT] as const).map((type) => [
      type,
      {
        post: {
          operationId: `webhook.${type}`,
          summary: SIGNED,
          parameters: headers,
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: toJsonSchema(webhookBodySchema(type), 'output') as object },
            },
          },
          responses: { '2XX': { description: 'Taken' } },
        },
      },
    ]),
  );
}

/** What every call may answer instead, by status. */
const REFUSALS = {
  401: { name: 'Unauthorized', description: 'Nobody is signed in, or the key does not work' },
  403: { name: 'Forbidden', description: 'The caller may not do this, or the key has no scope for it' },
  429: {
    name: 'TooManyRequests',
    description: 'Too many calls: Retry-After says in how many seconds to try again',
  },
  '4XX': { name: 'Refused', description: 'Refused: the text says why, the code is for programs' },
  '5XX': {
    name: 'Failed',
    description:
      'Failed on our side: 500 by a mistake, of which the operator finds more under requestId; 503 for now, and Retry-After may say in how many seconds to try again',
  },
} as const;

/** What is read of the document. */
interface Document {
  readonly paths: Record<string, Record<string, { responses: object }>>;
  readonly components: object;
}

/** The document of the REST API alone, with what is refused at each call, described once. */
function withRefusals(document: Document): Document {
  const content = { 'application/json': { schema: toJsonSchema(wireErrorSchema, 'output') } };
  const retryAfter = {
    'Retry-After': { description: 'In seconds', required: true, schema: { type: 'integer' } },
  };
  const refusals = Object.entries(REFUSALS);
  const responses = Object.fromEntries(
    refusals.map(([status, { name, description }]) => [
      name,
      { description, content, ...(status === '429' && { headers: retryAfter }) },
    ]),
  );
  const references = Object.fromEntries(
    refusals.map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]),
  );
  const paths = Object.fromEntries(
    Object.entries(document.paths).filter(([path]) => !path.startsWith(`${TRPC_PREFIX}/`)),
  );
  for (const operations of Object.values(paths))
    for (const operation of Object.values(operations))
      operation.responses = { ...references, ...operation.responses };
  return { ...document, paths, components: { ...document.components, responses } };
}

/** Collects the routes into an OpenAPI document, served at /api/openapi.json. */
export async function registerOpenApi(
  app: FastifyInstance,
  config: Pick<Config, 'publicUrl'>,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${marketName()} API`,
        version: '1',
        description: `Every call of the marketplace. Programs send a key: "Authorization: Bearer clipswap_…"; people make them in their settings. A browser signs in with POST /api/login and has its session in a cookie. ${units()}`,
      },
      servers: [{ url: config.publicUrl }],
      components: {
        securitySchemes: {
          key: {
            type: 'http',
            scheme: 'bearer',
            description: 'A key for programs; each call names the scopes that it needs',
          },
          session: { type: 'apiKey', in: 'cookie', name: sessionCookieName(config) },
        },
      },
      webhooks: describeWebhooks(),
    },
    transformObject: (given) =>
      'openapiObject' in given
        ? withRefusals(given.openapiObject as unknown as Document)
        : given.swaggerObject,
  });
  app.get('/api/openapi.json', { schema: { hide: true } }, () => app.swagger());
}
