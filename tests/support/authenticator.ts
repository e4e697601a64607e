import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type {
  AddPasskeyInput,
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyRequest,
} from '#contract/people/passkeys.ts';

/** What an authenticator and its browser may say; a test replaces some of it to lie. */
interface Claims {
  readonly origin: string;
  readonly rpId: string;
  readonly challenge: string;
  /** Whether the person was asked for a PIN or a finger. */
  readonly isVerified: boolean;
  readonly counter: number;
  readonly userHandle: string | undefined;
  readonly type: string;
}

/** A software authenticator with one passkey: an ES256 key that signs as the standard says. */
export interface Authenticator {
  create(options: PasskeyCreation, claims?: Partial<Claims>): AddPasskeyInput['passkey'];
  get(options: PasskeyRequest, claims?: Partial<Claims>): PasskeyAssertion;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

/**
 * @param origin of the pages in whose browser it is
 * @param isCounting whether it counts its signatures; those that synchronise their passkeys do not
 */
export function createAuthenticator(origin: string, { isCounting = true } = {}): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  let counter = 0;
  let userHandle: string | undefined;

  const tell = (
    options: { challenge: string; rpId: string | undefined },
    type: string,
    given: Partial<Claims>,
  ) => {
    if (isCounting) counter += 1;
    const { hostname } = new URL(origin);
    const { challenge, rpId = hostname } = options;
    const claims: Claims = { origin, rpId, challenge, isVerified: true, counter, userHandle, type, ...given };
    const clientData = {
      type: claims.type,
      challenge: claims.challenge,
      origin: claims.origin,
      crossOrigin: false,
    };
    return { claims, clientDataJSON: Buffer.from(JSON.stringify(clientData)) };
  };

  const answered = <Response>(response: Response) => {
    const key = base64url(id);
    return { id: key, rawId: key, type: 'public-key' as const, response };
  };

  return {
    create(options, given = {}) {
      userHandle = options.user.id;
      const { claims, clientDataJSON } = tell(
        { challenge: options.challenge, rpId: options.rp.id },
        'webauthn.create',
        given,
      );
      const credential = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        coseOf(publicKey),
      ]);
      const authData = Buffer.concat([authDataOf(claims, HAS_CREDENTIAL), credential]);
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', Uint8Array.from(authData)],
        ]) as Parameters<typeof isoCBOR.encode>[0],
      );
      return answered({
        clientDataJSON: base64url(clientDataJSON),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      });
    },

    get(options, given = {}) {
      const { claims, clientDataJSON } = tell(
        { challenge: options.challenge, rpId: options.rpId },
        'webauthn.get',
        given,
      );
      const authData = authDataOf(claims);
      const signed = Buffer.concat([authData, createHash('sha256').update(clientDataJSON).digest()]);
      return answered({
        clientDataJSON: base64url(clientDataJSON),
        authenticatorData: base64url(authData),
        signature: base64url(sign('sha256', signed, privateKey)),
        userHandle: claims.userHandle,
      });
    },
  };
}

function authDataOf({ rpId, isVerified, counter }: Claims, more = 0): Buffer {
  const flags = USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | more;
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count]);
}

/** The key as COSE: EC2, ES256, P-256, x, y. */
function coseOf(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'));
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  );
}
