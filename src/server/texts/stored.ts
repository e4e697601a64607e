import { inLanguage } from '#server/core/language.ts';

/** A text as the database keeps it. Each reader gets it in their own language, also long after it was written. */
export interface StoredText {
  /** Its place among the texts: 'bid.accept.bidder'. Rows name it for years, so a place keeps its meaning. */
  readonly kind: string;
  /** Plain values, texts that people wrote, and other stored texts. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

type Writer = (parameters: StoredText['parameters']) => string;

/** Texts that are to be stored: called with the same parameters, each says what it is instead of its words. */
export type Stored<Texts> = Texts extends (...parameters: infer Given) => string
  ? (...parameters: Given) => StoredText
  : { readonly [Name in keyof Texts]: Stored<Texts[Name]> };

const writers = new Map<string, Writer>();

/** Makes texts storable. @param name the first part of their kinds, used once */
export function stored<Texts extends object>(name: string, texts: Texts): Stored<Texts> {
  return storedUnder(name, texts) as Stored<Texts>;
}

function storedUnder(kind: string, texts: unknown): unknown {
  if (typeof texts === 'object' && texts !== null)
    return Object.fromEntries(
      Object.entries(texts).map(([name, inner]) => [name, storedUnder(`${kind}.${name}`, inner)]),
    );
  if (typeof texts !== 'function') return texts;
  if (writers.has(kind)) throw new Error(`There are two texts ${kind}`);
  writers.set(kind, texts as Writer);
  return (parameters: StoredText['parameters'] = {}): StoredText => ({ kind, parameters });
}

/** The kinds of all texts whose modules are loaded. */
export function storedKinds(): string[] {
  return [...writers.keys()];
}

/** A text in the language that is spoken right now. @throws Error where there is no such text (any more) */
export function textOf({ kind, parameters }: StoredText): string {
  const write = writers.get(kind);
  if (!write) throw new Error(`There is no text ${kind}`);
  return write(parameters);
}

/** A text in English, which is stored beside it: for versions of the program that do not know the text. */
export function englishOf(text: StoredText): string {
  return inLanguage('en', () => textOf(text));
}
