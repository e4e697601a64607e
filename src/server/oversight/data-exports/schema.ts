import type { Column } from './store.ts';

const SCALARS: Readonly<Record<string, object>> = {
  integer: { type: 'integer' },
  bigint: { type: 'integer' },
  boolean: { type: 'boolean' },
  numeric: { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' },
  date: { type: 'string', format: 'date' },
  'timestamp with time zone': { type: 'string', format: 'date-time' },
  // Any value.
  jsonb: {},
};

function typeOf(type: string): object {
  if (type.endsWith('[]')) return { type: 'array', items: typeOf(type.slice(0, -2)) };
  return SCALARS[type] ?? { type: 'string' };
}

/** The JSON Schema (2020-12) of a file: a list of objects with these columns. */
export function schemaOf(title: string, columns: readonly Column[]): object {
  const properties = columns.map(({ column, type, isNullable }) => [
    column,
    isNullable ? { anyOf: [typeOf(type), { type: 'null' }] } : typeOf(type),
  ]);
  return {
    title,
    type: 'array',
    items: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: columns.map(({ column }) => column),
      additionalProperties: false,
    },
  };
}
