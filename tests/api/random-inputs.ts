import * as fc from 'fast-check';
import { TEST_PASSWORD } from '#tests/support/builders.ts';
import { badValuesFor, type JsonSchema as FieldSchema } from './bad-values.ts';

/** What is read of zod's JSON schemas. */
export interface JsonSchema extends Omit<FieldSchema, 'anyOf' | 'properties' | 'type'> {
  readonly type?: string | string[];
  readonly anyOf?: JsonSchema[];
  readonly oneOf?: JsonSchema[];
  readonly properties?: Record<string, JsonSchema>;
  readonly required?: string[];
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
}

/** Stands for a value that an earlier answer of the run has had under this name. */
export class Seen {
  readonly name: string;
  readonly at: number;
  constructor(name: string, at: number) {
    this.name = name;
    this.at = at;
  }
}

/** Codes that nothing else looks like. */
export const CODE = /SIM-\w+-Q7X/g;

const ITEMS_MAX = 3;
/** Ids count from 1 in each run: of most kinds there are no more. */
const IDS_MAX = 30;
const LENGTH_MAX = 40;

const seen = (name: string) => fc.nat({ max: 1_000 }).map((at) => new Seen(name, at));
const isId = (name: string) => /(^id|Id|Ids)$/.test(name);

/** Texts that mean something by their name. */
const KNOWN: Readonly<Record<string, fc.Arbitrary<string>>> = {
  code: fc.nat({ max: 50 }).map((n) => `SIM-C${n}-Q7X`),
  codeValue: fc.nat({ max: 50 }).map((n) => `SIM-C${n}-Q7X`),
  password: fc.constant(TEST_PASSWORD),
  currentPassword: fc.constant(TEST_PASSWORD),
  confirmPassword: fc.constant(TEST_PASSWORD),
  merchant: fc.constantFrom('Corner Coffee', 'Harbour Books'),
  amount: fc.constantFrom('12.50', '5.00', '20'),
  askingPrice: fc.constantFrom('12.50', '5.00'),
};

/** Days around the test clock's. */
const day = fc
  .integer({ min: -3, max: 200 })
  .map((days) => new Date(Date.UTC(2035, 5, 15 + days)).toISOString().slice(0, 10));

function textOf(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  const known = KNOWN[name];
  if (known) return fc.oneof({ weight: 3, arbitrary: known }, { weight: 1, arbitrary: seen(name) });
  if (schema.format === 'date') return day;
  if (schema.format === 'date-time') return day.map((date) => `${date}T12:00:00.000Z`);
  const minLength = schema.minLength ?? 0;
  const maxLength = Math.max(minLength, Math.min(schema.maxLength ?? LENGTH_MAX, LENGTH_MAX));
  const words = fc
    .constantFrom('Two coffees for one', 'Is it still good?', 'tea')
    .map((text) => text.padEnd(minLength, '.').slice(0, maxLength));
  const odd = fc.string({ minLength, maxLength, unit: 'grapheme' });
  return fc.oneof(seen(name), ...(schema.pattern ? [patterned(schema.pattern)] : [words, odd]));
}

/** Texts of a pattern; others where it has what fast-check does not know. */
function patterned(pattern: string): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' });
  } catch {
    return fc.string();
  }
}

function numberOf(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  if (isId(name))
    return fc.oneof(
      { weight: 3, arbitrary: seen(name) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: IDS_MAX }) },
    );
  const min = schema.minimum ?? 0;
  const max = schema.maximum ?? min + 10_000;
  return fc.oneof(
    seen(name),
    fc.integer({ min, max: Math.min(max, min + 10_000) }),
    fc.constantFrom(min, max),
  );
}

/** Values that fit a schema, as far as it says what fits. @param name of the field */
function valuesOf(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  const choices =
    schema.anyOf ??
    schema.oneOf ??
    (Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : null);
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, name)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object':
      return objectsOf(schema);
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, name), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? ITEMS_MAX, ITEMS_MAX)),
      });
    case 'string':
      return textOf(schema, name);
    case 'integer':
    case 'number':
      return numberOf(schema, name);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.constantFrom(null, 'none', 5);
  }
}

function objectsOf({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(properties).map(([name, property]) => [name, valuesOf(property, name)]);
  return fc.record(Object.fromEntries(fields), { requiredKeys: required });
}

/** Inputs of a call that fit, and every fourth with one field that does not, or without it. */
export function inputsOf(schema: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const valid = objectsOf(schema);
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) return valid;
  const spoiled = fc
    .constantFrom(...fields)
    .chain(([name, property]) =>
      fc
        .tuple(valid, fc.constantFrom(...badValuesFor(name, property as FieldSchema), undefined))
        .map(([input, bad]) => ({ ...input, [name]: bad })),
    );
  return fc.oneof({ weight: 3, arbitrary: valid }, { weight: 1, arbitrary: spoiled });
}
