import { shortOrLong } from '#tests/support/rounds.ts';

/** Values that no field accepts, and those that no field of a type accepts. */
const LONG = 'x'.repeat(20_000);
const WRONG_TYPES = [[], {}, [1], { $gt: 0 }, LONG];
const BAD_VALUES: Record<string, unknown[]> = {
  integer: [...WRONG_TYPES, 'abc', '1', '', -1, 2 ** 53, -(2 ** 53), 1.5, true, 'Infinity', '\u0000'],
  string: [...WRONG_TYPES, 5, true, -0.5, 'a\u0000b', '\ud800'],
  object: [[], [1], 'x', 5, true],
  array: [{}, [-1], [null], [[]], ['x'.repeat(20_000)], 'x', 5, true],
  boolean: [...WRONG_TYPES, 'yes', 5, 0],
  enum: [...WRONG_TYPES, 'nope', 5, true, '\u0000', '__proto__'],
};
const BAD_IDS = [0, 2 ** 31, 2 ** 31 + 1, null, 1e308];

export interface JsonSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  exclusiveMaximum?: number;
  maximum?: number;
  maxLength?: number;
  description?: string;
}

export function badValuesFor(name: string, schema: JsonSchema): unknown[] {
  const kinds = schema.anyOf ?? [schema];
  const main = kinds.find((kind) => kind.type !== 'null') ?? schema;
  const kind = main.enum || main.const !== undefined ? 'enum' : (main.type ?? 'string');
  const values = BAD_VALUES[kind] ?? WRONG_TYPES;
  const isId = name === 'id' || name.endsWith('Id');
  const isOptional = kinds.some(({ type }) => type === 'null');
  const fits = (value: unknown) => typeof value === 'string' && value.length <= (main.maxLength ?? 0);
  return [...values, ...(isId ? BAD_IDS : [])].filter(
    (value) => value !== main.const && !(value === null && isOptional) && !(value === LONG && fits(value)),
  );
}

let turn = 0;
/** All values in the long form; in the short form two of them, the next ones at each call. */
export function inTurn<Value>(values: readonly Value[]): readonly Value[] {
  turn += 2;
  return shortOrLong([turn, turn + 1].map((next) => values[next % values.length]) as Value[], values);
}

/** Types of bodies that are not JSON. */
export const OTHER_TYPES = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
];

/** Texts in an address that are no ids. */
export const PATH_IDS = [
  '0',
  '-1',
  '2147483648',
  '9007199254740992',
  'abc',
  '1e3',
  '1.5',
  '%00',
  '%F0%9F%92%A9',
  '0x10',
  'null',
  '%20',
  '%ZZ',
];
