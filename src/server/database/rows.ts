import { CamelCasePlugin, type PluginTransformResultArgs } from 'kysely';

/** The type of the rows is what the caller expects. */
type Maker = (from: object) => never;

/** Keeps what makes rows, by their columns: as many as there are kinds of rows in our SQL. */
function keptMakers(pairOf: (column: string, at: number) => readonly [name: string, from: string | number]) {
  const makers = new Map<string, Maker>();
  return (columns: readonly string[]): Maker => {
    const kind = columns.join('\n');
    const known = makers.get(kind);
    if (known) return known;
    const pairs = columns
      .map(pairOf)
      .map(([name, from]) => `${JSON.stringify(name)}: from[${JSON.stringify(from)}]`);
    // One object literal: V8 takes forty times as long to add the columns one by one.
    const made = new Function('from', `return { ${pairs.join()} };`) as Maker;
    makers.set(kind, made);
    return made;
  };
}

const ofValues = keptMakers((column, at) => [column, at]);

/** The rows of a result whose rows are arrays; none where a text of several statements has several. */
export function rowsOf(
  fields: readonly { readonly name: string }[] = [],
  rows: readonly (readonly unknown[])[] = [],
): never[] {
  return rows.length === 0 ? [] : rows.map(ofValues(fields.map(({ name }) => name)));
}

/** Names tables and columns in camelCase. Keys inside JSON stay as they are. */
export class CamelCaseColumns extends CamelCasePlugin {
  readonly #ofRows = keptMakers((column) => [this.camelCase(column), column]);

  override async transformResult({ result }: PluginTransformResultArgs) {
    const [first] = result.rows ?? [];
    return first ? { ...result, rows: result.rows.map(this.#ofRows(Object.keys(first))) } : result;
  }
}
