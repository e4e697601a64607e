import { createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** What a TLS server shows for itself, in PEM. */
export interface Identity {
  readonly key: string;
  readonly cert: string;
}

/** Who signs certificates. */
interface Authority {
  readonly cert: string;
  /** @param given.until its last moment */
  issue(given: { host: string; until?: Date }): Identity;
}

const DAY_MS = 86_400_000;

/** A value of X.690 (DER). */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const short = body.length < 0x80 ? [body.length] : body.length < 0x100 ? [0x81, body.length] : null;
  const length = short ?? [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const text = (tag: number, value: string) => der(tag, Buffer.from(value));
const hex = (tag: number, value: string) => der(tag, Buffer.from(value, 'hex'));
const bits = (bytes: Uint8Array) => der(0x03, Buffer.from([0]), bytes);

const ECDSA_WITH_SHA256 = sequence(hex(0x06, '2a8648ce3d040302'));
const TRUE = hex(0x01, 'ff');

/** UTCTime, which ends with 2049. */
const time = (at: Date) => text(0x17, `${at.toISOString().replace(/\D/g, '').slice(2, 14)}Z`);
const nameOf = (common: string) => sequence(der(0x31, sequence(hex(0x06, '550403'), text(0x0c, common))));

/** A certificate of X.509, by RFC 5280. */
function sign(given: {
  subject: string;
  publicKey: KeyObject;
  issuer: { name: string; key: KeyObject };
  until: Date;
  extension: Buffer;
}): string {
  const { subject, publicKey, issuer, until, extension } = given;
  const content = sequence(
    der(0xa0, hex(0x02, '02')),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ECDSA_WITH_SHA256,
    nameOf(issuer.name),
    sequence(time(new Date(until.getTime() - 30 * DAY_MS)), time(until)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = createSign('sha256').update(content).sign(issuer.key);
  const base64 = sequence(content, ECDSA_WITH_SHA256, bits(signature)).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

const drawKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** An authority that nobody knows yet. */
export function createAuthority(name = 'Authority of the tests'): Authority {
  const { publicKey, privateKey } = drawKeys();
  const issuer = { name, key: privateKey };
  const later = () => new Date(Date.now() + DAY_MS);
  const isAuthority = sequence(hex(0x06, '551d13'), TRUE, der(0x04, sequence(TRUE)));
  return {
    cert: sign({ subject: name, publicKey, issuer, until: later(), extension: isAuthority }),
    issue({ host, until = later() }) {
      const keys = drawKeys();
      const names = sequence(hex(0x06, '551d11'), der(0x04, sequence(text(0x82, host))));
      const cert = sign({ subject: host, publicKey: keys.publicKey, issuer, until, extension: names });
      return { cert, key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
    },
  };
}
