import { FeedRefusal } from './feeds.ts';

/** Enough for a byte order mark and an XML declaration. What follows decides nothing, in however large pieces it comes. */
const HEAD_BYTES = 200;

/** Byte order marks. */
const MARKS: readonly [charset: string, bytes: readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Decodes a feed's bytes. A byte order mark decides the charset, then the setting, then an XML declaration; else it is
 * UTF-8, or UTF-16 when every other byte is zero.
 * @param charset of the setting
 * @throws FeedRefusal, while reading, when the bytes are not of that charset: letters would be lost
 */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  charset: string | undefined,
): AsyncGenerator<string> {
  let head: Buffer | null = Buffer.alloc(0);
  let decode: Decode | null = null;
  for await (const chunk of chunks) {
    if (head) {
      head = Buffer.concat([head, chunk]);
      if (head.length < HEAD_BYTES) continue;
    }
    decode ??= decoderFor(charsetOf((head ?? chunk).subarray(0, HEAD_BYTES), charset));
    yield decode(head ?? chunk);
    head = null;
  }
  decode ??= decoderFor(charsetOf(head ?? Buffer.alloc(0), charset));
  if (head) yield decode(head);
  yield decode();
}

function charsetOf(head: Uint8Array, charset: string | undefined): string {
  const mark = MARKS.find(([, bytes]) => bytes.every((byte, index) => head[index] === byte));
  if (mark) return mark[0];
  if (charset !== undefined) return charset;
  if (head[0] === 0 && head[1] !== 0) return 'utf-16be';
  if (head[0] !== 0 && head[1] === 0) return 'utf-16le';
  const declared = /^\s*<\?xml[^>]*?\bencoding\s*=\s*["']([\w-]+)/.exec(
    Buffer.from(head).toString('latin1'),
  )?.[1];
  // Letters of one byte each cannot be in UTF-16: a program has changed the charset and not the declaration.
  return declared === undefined || /^(?:utf-?16|ucs-?2|utf-?32)/i.test(declared) ? 'utf-8' : declared;
}

/** Decodes the next bytes; without bytes, what is left. */
type Decode = (bytes?: Uint8Array) => string;

function decoderFor(charset: string): Decode {
  const decoder = openDecoder(charset);
  return (bytes) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new FeedRefusal(
        `It is not text in ${decoder.encoding.toUpperCase()}: set its charset, such as windows-1252 or utf-16le.`,
      );
    }
  };
}

function openDecoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new FeedRefusal(`It says that its charset is ${charset}, which cannot be read.`);
  }
}
