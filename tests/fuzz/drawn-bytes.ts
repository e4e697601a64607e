import type { Draw } from './drawn-facts.ts';

/** A mail as its sender writes it. */
export interface Sent {
  readonly from: string;
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
}

/** A part of a mail in a charset and an encoding in which all of it can be written. */
function part(type: string, text: string, { one }: Draw): Buffer {
  const isLatin = /^[\0-\xff]*$/.test(text);
  const charset = isLatin ? one(['utf-8', 'utf-8', 'iso-8859-1']) : 'utf-8';
  const bytes = Buffer.from(text.replaceAll('\n', '\r\n'), charset === 'utf-8' ? 'utf8' : 'latin1');
  const encoding = one(['8bit', 'quoted-printable', 'base64']);
  const head = `Content-Type: ${type}; charset=${charset}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
  const body =
    encoding === '8bit' ? bytes : Buffer.from(encoding === 'base64' ? base64(bytes) : quotedPrintable(bytes));
  return Buffer.concat([Buffer.from(head), body, Buffer.from('\r\n')]);
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/.{76}/g, '$&\r\n');

function quotedPrintable(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .split('\r\n')
    .map((line) => {
      const coded = line.replace(
        /[^\x20-\x3c\x3e-\x7e]| $/g,
        (sign) => `=${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
      );
      // A soft line break does not part an escape.
      return coded.replace(/(?:=[0-9A-F]{2}|[^=]){70}(?=.)/g, '$&=\r\n');
    })
    .join('\r\n');
}

const word = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;

/** The bytes of a mail. */
export function mailOf({ from, subject, text, html }: Sent, draw: Draw): Buffer {
  const head = Buffer.from(
    `From: ${word(from)} <news@shop.example>\r\nTo: x@in.example\r\nSubject: ${word(subject)}\r\nDate: Tue, 24 Nov 2026 10:00:00 -0500\r\nMIME-Version: 1.0\r\n`,
  );
  if (text === null) return Buffer.concat([head, part('text/html', html ?? '', draw)]);
  if (html === null) return Buffer.concat([head, part('text/plain', text, draw)]);
  const boundary = Buffer.from('--B1\r\n');
  return Buffer.concat([
    head,
    Buffer.from('Content-Type: multipart/alternative; boundary=B1\r\n\r\n'),
    ...[boundary, part('text/plain', text, draw), boundary, part('text/html', html, draw)],
    Buffer.from('--B1--\r\n'),
  ]);
}

/** A mail to which another one is attached. */
export function attached(inner: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(
      'From: Pat <pat@example.org>\r\nSubject: Fwd: a coupon\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=M1\r\n\r\n--M1\r\nContent-Type: text/plain\r\n\r\nSee attached.\r\n--M1\r\nContent-Type: message/rfc822\r\nContent-Disposition: attachment; filename="a.eml"\r\n\r\n',
    ),
    inner,
    Buffer.from('\r\n--M1--\r\n'),
  ]);
}
