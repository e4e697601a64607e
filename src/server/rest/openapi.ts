import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { marketName } from '#contract/market.ts';
import { TEST_EVENT, WEBHOOK_EVENTS, webhookBodySchema } from '#contract/webhooks.ts';
import { wireErrorSchema } from '#contract/wire-error.ts';
import { appRouter } from '#server/router.ts';
import { REST_CALLS, type RestCall } from './table.ts';

interface JsonSchema {
  type?: string;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  [key: string]: unknown;
}

interface ProcedureDefinition {
  inputs: z.ZodType[];
  output?: z.ZodType;
  meta?: { summary?: string };
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest as JsonSchema;
}

/** How the API writes money and time. */
export const UNITS =
  'Bids, payments and fees are decimal texts in Canadian dollars ("12.50"). Values of coupons are integers: cents ' +
  'of a Canadian dollar, or hundredths of a per cent. Each field says which it is. Instants are UTC.';

/** The error response of every call. */
export const REFUSALS = {
  '4xx': {
    description: 'Refused: the text says why, the code is for programs',
    ...toJsonSchema(wireErrorSchema, 'output'),
  },
};

function definitionOf(call: RestCall): ProcedureDefinition {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: ProcedureDefinition }>;
  const procedure = procedures[call.procedure];
  if (!procedure) throw new Error(`rest/table.ts names a procedure that is not there: ${call.procedure}`);
  return procedure._def;
}

/** The part of an object schema with the properties that `keep` accepts; undefined when there are none. */
function pick(schema: JsonSchema, keep: (name: string) => boolean): JsonSchema | undefined {
  const names = Object.keys(schema.properties ?? {}).filter(keep);
  if (names.length === 0) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, schema.properties?.[name] ?? {}])),
    required: (schema.required ?? []).filter(keep),
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
  const procedure = definitionOf(call);
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
      ...(params && { params }),
      ...(rest && (call.method === 'GET' ? { querystring: rest } : { body: rest })),
      response: {
        [call.status]: { description: 'Success', ...answer },
        ...REFUSALS,
      },
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

/** Collects the routes into an OpenAPI document, served at /api/openapi.json. */
export async function registerOpenApi(app: FastifyInstance, publicUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${marketName()} API`,
        version: '1',
        description: `Every call of the marketplace. Sign in with POST /api/login; the session travels in a cookie. ${UNITS}`,
      },
      servers: [{ url: publicUrl }],
      webhooks: describeWebhooks(),
    },
  });
  app.get('/api/openapi.json', { schema: { hide: true } }, () => app.swagger());
}
