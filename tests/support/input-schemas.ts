import { z } from 'zod';

interface Described {
  readonly $ref?: string;
  readonly [keyword: string]: unknown;
}

const BESIDE = '#/$defs/';

/** The JSON Schema of an input, with its named parts in their places. What zod names itself is a part of itself. */
export function inputSchemaOf(schema: z.ZodType): object {
  const { $defs = {}, ...described } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const inPlace = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(inPlace);
    if (typeof part !== 'object' || part === null) return part;
    const { $ref = '', ...own } = part as Described;
    const name = $ref.slice(BESIDE.length);
    if (name.startsWith('__')) return part;
    const shared = $ref === '' ? {} : (inPlace($defs[name]) as object);
    return {
      ...shared,
      ...Object.fromEntries(Object.entries(own).map(([key, value]) => [key, inPlace(value)])),
    };
  };
  return inPlace(described) as object;
}
