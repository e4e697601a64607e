/** A line without its end; null for one that is too long. */
export interface Line {
  readonly number: number;
  readonly text: string | null;
}

/** Splits chunks of bytes into lines; at most `maxLength` characters of a line are kept. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  { charset, maxLength }: { charset: string; maxLength: number },
): AsyncGenerator<Line> {
  const decoder = new TextDecoder(charset);
  let number = 1;
  let rest = '';
  let isTooLong = false;
  for await (const chunk of chunks) {
    const parts = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      yield { number, text: isTooLong || part.length > maxLength ? null : withoutReturn(part) };
      isTooLong = false;
      number += 1;
    }
    if (rest.length > maxLength) {
      isTooLong = true;
      rest = '';
    }
  }
  rest += decoder.decode();
  if (isTooLong || rest.length > maxLength) yield { number, text: null };
  else if (rest !== '') yield { number, text: withoutReturn(rest) };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
