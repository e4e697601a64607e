/** What we use of saxen; its package has no types. */
declare module 'saxen' {
  /** A text with its entities decoded. */
  export function decode(text: string): string;

  export class Parser {
    on(
      event: 'openTag',
      handle: (name: string, attributes: () => Readonly<Record<string, string>>) => void,
    ): this;
    on(event: 'closeTag', handle: (name: string) => void): this;
    on(event: 'text', handle: (text: string, decoded: (text: string) => string) => void): this;
    on(event: 'cdata', handle: (text: string) => void): this;
    on(event: 'error', handle: (error: Error) => void): this;
    parse(xml: string): this;
  }
}
