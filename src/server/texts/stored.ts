/** A text as the database keeps it. Each reader gets it in their own language, also long after it was written. */
export interface StoredText {
  /** Its place among the texts: 'bid.accept.bidder'. Rows name it for years, so a place keeps its meaning. */
  readonly kind: string;
  /** Plain values, texts that people wrote, and other stored texts. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Reads a text that is within another one. */
export type TextOf = (text: StoredText) => string;

/** Says a text in the language that is spoken right now. */
export type Writer = (parameters: StoredText['parameters'], textOf: TextOf) => string;

/** Texts that are to be stored: called with the same parameters, each says what it is instead of its words. */
export type Stored<Texts> = Texts extends (...given: infer Given) => string
  ? (...parameters: Given extends [infer Parameters, TextOf] ? [Parameters] : Given) => StoredText
  : { readonly [Name in keyof Texts]: Stored<Texts[Name]> };

/** What says each text. */
const writers = new WeakMap<object, Writer>();

/**
 * Makes texts storable.
 * @param name the first part of their kinds: their key in `STORED_TEXTS` (reading.ts)
 */
export function stored<Texts extends object>(name: string, texts: Texts): Stored<Texts> {
  return storedUnder(name, texts) as Stored<Texts>;
}

function storedUnder(kind: string, texts: unknown): unknown {
  if (typeof texts === 'object' && texts !== null)
    return Object.fromEntries(
      Object.entries(texts).map(([name, inner]) => [name, storedUnder(`${kind}.${name}`, inner)]),
    );
  if (typeof texts !== 'function') return texts;
  const text = (parameters: StoredText['parameters'] = {}): StoredText => ({ kind, parameters });
  writers.set(text, texts as Writer);
  return text;
}

/** What says a text that `stored` has made; undefined for anything else. */
export function writerOf(text: unknown): Writer | undefined {
  return typeof text === 'function' ? writers.get(text) : undefined;
}
