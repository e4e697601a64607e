import { wireErrorSchema } from '#contract/base/wire-error.ts';
import { namedSchemas, toJsonSchema } from './json-schemas.ts';
import { TRPC_PREFIX } from './trpc-handler.ts';

/** Why a list is answered without a body. */
export const UNCHANGED = 'If-None-Match names the ETag of the answer';

/** What every call may answer instead, by status. */
const REFUSALS = {
  429: {
    name: 'TooManyRequests',
    description: 'Too many calls: Retry-After says in how many seconds to try again',
  },
  '4XX': {
    name: 'Refused',
    description:
      'Refused: the text says why, the code is for programs. 401: nobody is signed in, or the key does not work; 403: the caller may not do this, or the key has no scope for it',
  },
  '5XX': {
    name: 'Failed',
    description:
      'Failed on our side: 500 by a mistake, of which the operator finds more under requestId; 503 for now, and Retry-After may say in how many seconds to try again',
  },
} as const;

interface Parameter {
  readonly name: string;
}

interface Operation {
  readonly operationId: string;
  requestBody?: object | Reference;
  parameters?: readonly (Parameter | Reference)[];
  responses: Readonly<Record<string, object>>;
}

interface Reference {
  readonly $ref: string;
}

/** What is read of the document. */
export interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: Partial<Record<'parameters' | 'requestBodies' | 'responses' | 'schemas', object>>;
}

/** Where the document has the parameters that several calls share. */
export const PARAMETERS = '#/components/parameters/';

/** The document of the REST API alone, in which what its calls share is described once. */
export function withSharedParts(document: Document): Document {
  const paths = Object.fromEntries(
    Object.entries(document.paths).filter(([path]) => !path.startsWith(`${TRPC_PREFIX}/`)),
  );
  const operations = Object.values(paths).flatMap((calls) => Object.values(calls));
  const parameters = shareParameters(operations);
  const requestBodies = shareBodies(operations);
  const responses = shareAnswers(operations);
  return {
    ...document,
    paths,
    components: {
      ...document.components,
      schemas: namedSchemas(),
      parameters: { ...document.components.parameters, ...parameters },
      requestBodies,
      responses,
    },
  };
}

/** Puts a reference in the place of each parameter that several calls have; of those with one name, the commonest. */
function shareParameters(operations: readonly Operation[]): Record<string, Parameter> {
  const counts = new Map<string, number>();
  for (const { parameters = [] } of operations)
    for (const each of parameters)
      counts.set(JSON.stringify(each), (counts.get(JSON.stringify(each)) ?? 0) + 1);
  const shared: Record<string, Parameter> = {};
  for (const [text, count] of [...counts].sort(([, one], [, other]) => other - one)) {
    const parameter: Parameter = JSON.parse(text);
    if (count > 1) shared[parameter.name] ??= parameter;
  }
  const refer = (each: Parameter | Reference) =>
    'name' in each && JSON.stringify(shared[each.name]) === JSON.stringify(each)
      ? { $ref: PARAMETERS + each.name }
      : each;
  for (const operation of operations)
    if (operation.parameters) operation.parameters = operation.parameters.map(refer);
  return shared;
}

/** Puts a reference in the place of each body that several calls take, under the name of the first of them. */
function shareBodies(operations: readonly Operation[]): Record<string, object> {
  const byText = new Map<string, Operation[]>();
  for (const operation of operations) {
    const text = JSON.stringify(operation.requestBody);
    if (operation.requestBody) byText.set(text, [...(byText.get(text) ?? []), operation]);
  }
  const shared: Record<string, object> = {};
  for (const [text, [first, ...others]] of byText) {
    if (!first || others.length === 0) continue;
    const name = first.operationId.replace(/(^|\W)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
    shared[name] = JSON.parse(text);
    for (const operation of [first, ...others])
      operation.requestBody = { $ref: `#/components/requestBodies/${name}` };
  }
  return shared;
}

/** An answer that is a schema with a name. */
const answerWith = (schema: string) =>
  JSON.stringify({
    description: 'Success',
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  });

/** The answers that several calls have, under the names of their schemas. */
function commonAnswers(operations: readonly Operation[]): Map<string, string> {
  const all = operations
    .flatMap(({ responses }) => Object.values(responses))
    .map((one) => JSON.stringify(one));
  const names = Object.keys(namedSchemas()).map((name) => [answerWith(name), name] as const);
  const isCommon = ([answer]: readonly [string, string]) => all.filter((one) => one === answer).length > 1;
  return new Map([...names.filter(isCommon), [JSON.stringify({ description: UNCHANGED }), 'Unchanged']]);
}

/** Adds to each call what it may answer instead, and puts references in the place of answers that several calls have. */
function shareAnswers(operations: readonly Operation[]): object {
  const content = { 'application/json': { schema: toJsonSchema(wireErrorSchema, 'output') } };
  const retryAfter = {
    'Retry-After': { description: 'In seconds', required: true, schema: { type: 'integer' } },
  };
  const refusals = Object.entries(REFUSALS);
  const references = Object.fromEntries(
    refusals.map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]),
  );
  const common = commonAnswers(operations);
  const refer = ([status, answer]: [string, object]) => {
    const name = common.get(JSON.stringify(answer));
    return [status, name === undefined ? answer : { $ref: `#/components/responses/${name}` }] as const;
  };
  for (const operation of operations) {
    const answers = Object.fromEntries(Object.entries(operation.responses).map(refer));
    operation.responses = { ...references, ...answers };
  }
  const shared = refusals.map(([status, { name, description }]) => [
    name,
    { description, content, ...(status === '429' && { headers: retryAfter }) },
  ]);
  const answers = [...common].map(([answer, name]) => [name, JSON.parse(answer)]);
  return Object.fromEntries([...shared, ...answers]);
}
