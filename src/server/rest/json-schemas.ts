import { z } from 'zod';

/** A JSON Schema, as far as this folder reads it. */
export interface JsonSchema {
  type?: string;
  enum?: string[];
  description?: string;
  $ref?: string;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  [key: string]: unknown;
}

/** Where zod puts the schemas with a name, and where the document has them. */
const BESIDE = '#/$defs/';
const SHARED = '#/components/schemas/';

/** The schemas with a name, by it, that were met until now. */
const named = new Map<string, JsonSchema>();

/**
 * A schema of the contract for the document of the API. Parts that have a name there (`.meta({ id })`) are referred to;
 * `namedSchemas` has them.
 * @throws Error when two schemas have one name, or one has two forms, as an input and as an answer
 */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const {
    $schema: _,
    $defs = {},
    ...own
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => withoutBounds(jsonSchema),
  });
  for (const [name, part] of Object.entries<JsonSchema>(withReferences($defs))) {
    const known = named.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(part))
      throw new Error(`Two schemas of the contract have the name ${name}`);
    named.set(name, part);
  }
  return withReferences(own);
}

/** What zod writes to every whole number and text, and says nothing. */
function withoutBounds(part: { minimum?: number; maximum?: number; minLength?: number }): void {
  if (part.minLength === 0) delete part.minLength;
  if (part.minimum === Number.MIN_SAFE_INTEGER) delete part.minimum;
  if (part.maximum === Number.MAX_SAFE_INTEGER) delete part.maximum;
}

const withReferences = (described: object) => JSON.parse(JSON.stringify(described), referToShared);

/** Beside a reference, @fastify/swagger keeps nothing: what a part says for itself goes around it. */
function referToShared(_key: string, part: unknown): unknown {
  if (typeof part !== 'object' || part === null || !('$ref' in part)) return part;
  const { $ref, ...own } = part;
  const reference = { $ref: String($ref).replace(BESIDE, SHARED) };
  return Object.keys(own).length === 0 ? reference : { ...own, allOf: [reference] };
}

/** An answer of a call, for the document. */
export function answerOf(schema: JsonSchema) {
  return { description: 'Success', content: { 'application/json': { schema } } };
}

/** The named parts of all schemas that were described, by their names. */
export function namedSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries([...named].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** What a schema says itself, and what the one says that it refers to. */
export function resolved(schema: JsonSchema): JsonSchema {
  const { $ref = schema.allOf?.[0]?.$ref, allOf: _, ...own } = schema;
  const shared = $ref?.startsWith(SHARED) ? named.get($ref.slice(SHARED.length)) : undefined;
  return shared ? { ...resolved(shared), ...own } : schema;
}
