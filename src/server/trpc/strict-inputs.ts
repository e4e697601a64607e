import { z } from 'zod';

/** The same schema, except that its objects refuse fields that they do not name. One with a catchall of its own keeps that. */
function strictSchema(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const changed = (change: object) => z.core.clone(schema, { ...def, ...change }, { parent: true });
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, field]) => [name, strictSchema(field)]);
      return changed({ shape: Object.fromEntries(fields), catchall: def.catchall ?? z.never() });
    }
    case 'array':
      return changed({ element: strictSchema(def.element) });
    case 'union':
      return changed({ options: def.options.map(strictSchema) });
    case 'optional':
    case 'nullable':
    case 'default':
      return changed({ innerType: strictSchema(def.innerType) });
    case 'pipe':
      return changed({ in: strictSchema(def.in), out: strictSchema(def.out) });
    default:
      return schema;
  }
}

/** What a call takes that takes nothing. */
const nothing = z.strictObject({}).optional();

interface Builder {
  input(schema: z.core.$ZodType): Builder;
  output(schema: unknown): Builder;
  meta(meta: unknown): Builder;
  use(middleware: unknown): Builder;
  query(resolver: unknown): unknown;
  mutation(resolver: unknown): unknown;
}

/** A builder of procedures that refuse fields which their schema does not name, and all that derives from it. */
export function withStrictInputs<Given extends object>(builder: Given): Given {
  return { ...builder, ...strictMethods(builder as unknown as Builder) };
}

function strictMethods(builder: Builder): Builder {
  return {
    input: (schema) => builder.input(strictSchema(schema)),
    output: (schema) => withStrictInputs(builder.output(schema)),
    meta: (meta) => withStrictInputs(builder.meta(meta)),
    use: (middleware) => withStrictInputs(builder.use(middleware)),
    query: (resolver) => builder.input(nothing).query(resolver),
    mutation: (resolver) => builder.input(nothing).mutation(resolver),
  };
}
