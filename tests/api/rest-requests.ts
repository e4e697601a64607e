import type { RestCall } from '#server/rest/table.ts';
import type { TestCall } from '#tests/support/app.ts';

/** A value as a text of the address. */
const textOf = (value: unknown) => (typeof value === 'string' ? value : String(JSON.stringify(value)));

/** The REST request that a procedure's input makes. */
export function requestOf(call: RestCall, input: unknown): TestCall {
  const fields = new Map(Object.entries((input ?? {}) as Record<string, unknown>));
  const url = call.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = fields.get(name);
    fields.delete(name);
    return encodeURIComponent(textOf(value));
  });
  for (const name of Object.keys(call.input)) fields.delete(name);
  if (call.method === 'GET') {
    const query = new URLSearchParams([...fields].map(([name, value]) => [name, textOf(value)]));
    return { method: 'GET', url: fields.size > 0 ? `${url}?${query}` : url };
  }
  return { method: call.method, url, ...(fields.size > 0 && { body: Object.fromEntries(fields) }) };
}
