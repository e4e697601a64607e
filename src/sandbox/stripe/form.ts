interface Fields {
  [name: string]: string | Fields;
}

const empty = (): Fields => Object.create(null);

/** More brackets than any parameter of Stripe has. */
const MAX_DEPTH = 8;

/** Reads parameters as Stripe's SDK writes them: `card[number]=4242` is a record, `expand[0]=charge` a list. */
export function readForm(text: string): unknown {
  const form = empty();
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split('[', MAX_DEPTH).map((part) => part.replace(/\]$/, ''));
    const last = path.pop() ?? '';
    let fields = form;
    for (const part of path) {
      const known = fields[part];
      const inner = typeof known === 'object' ? known : empty();
      fields[part] = inner;
      fields = inner;
    }
    fields[last] = value;
  }
  return withLists(form);
}

/** Makes lists of the records whose names are all numbers. */
function withLists(fields: Fields): unknown {
  const entries = Object.entries(fields).map(
    ([name, value]) => [name, typeof value === 'string' ? value : withLists(value)] as const,
  );
  const isList = entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}
