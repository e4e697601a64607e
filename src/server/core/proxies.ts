import { BlockList, isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/** Whose X-Forwarded-For we trust: nobody's, the nearest N proxies', or these addresses'. */
export type TrustedProxies = false | number | readonly string[];

const isNetwork = (text: string) => isIP(text) > 0 || ipaddr.isValidCIDR(text);

/** The setting TRUST_PROXY. `true` is refused: it would believe an address that the client has made up. */
export const trustedProxiesSchema = z
  .string()
  .default('false')
  .transform((text, ctx): TrustedProxies => {
    if (text === 'false') return false;
    if (/^[1-9]$/.test(text)) return Number(text);
    const networks = text.split(',').map((part) => part.trim());
    if (networks.every(isNetwork)) return networks;
    const message =
      'must be false, the number of proxies in front (1), or their addresses (10.0.0.0/8, 192.0.2.7)';
    ctx.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** The same as Fastify takes it: a bare number would trust nobody there. */
export function trustProxyOption(trusted: TrustedProxies) {
  if (typeof trusted === 'number') return (_address: string, hop: number) => hop < trusted;
  return trusted === false ? false : [...trusted];
}

/** Tells by its address whether a connection is one of a proxy that we trust. */
export function proxyTest(trusted: TrustedProxies): (address: string) => boolean {
  if (typeof trusted !== 'object') return () => trusted !== false;
  const kindOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
  const proxies = new BlockList();
  for (const network of trusted) {
    const [first = '', bits] = network.split('/');
    if (bits === undefined) proxies.addAddress(first, kindOf(first));
    else proxies.addSubnet(first, Number(bits), kindOf(first));
  }
  return (address) => isIP(address) > 0 && proxies.check(address, kindOf(address));
}

/** The caller's address. What a proxy passes on that is no address is not believed: then it is the proxy's own. */
export function addressOf(request: {
  readonly ip: string;
  readonly socket: { readonly remoteAddress?: string | undefined };
}): string {
  return isIP(request.ip) ? request.ip : (request.socket.remoteAddress ?? request.ip);
}

/** Whether an address is a loopback one. */
export function isThisMachine(ip: string): boolean {
  const bare = ip.replace(/^::ffff:/i, '');
  return bare === '::1' || (isIPv4(bare) && bare.startsWith('127.'));
}

/** How a request has come to us, as far as proxies in front of us tell. */
export interface Arrival {
  /** The address at the other end of the connection. */
  readonly peer: string;
  /** The address that counts as the caller's. */
  readonly ip: string;
  /** The addresses of X-Forwarded-For, the caller's own word first. */
  readonly forwardedFor: readonly string[];
  /** X-Forwarded-Proto; null: no proxy has said. */
  readonly forwardedProto: string | null;
}

/** Reads how a request has come to us. */
export function arrivalOf(
  request: Parameters<typeof addressOf>[0] & {
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  },
): Arrival {
  const header = (name: string) => [request.headers[name] ?? []].flat().join(',');
  const proto = header('x-forwarded-proto').split(',')[0]?.trim();
  return {
    peer: request.socket.remoteAddress ?? '',
    ip: addressOf(request),
    forwardedFor: header('x-forwarded-for')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
    forwardedProto: proto || null,
  };
}

const INNER_RANGES: readonly string[] = [
  'private',
  'loopback',
  'linkLocal',
  'uniqueLocal',
  'carrierGradeNat',
];

/** Whether an address is one of a private network, of this machine or of its link: never a visitor's from outside. */
export function isInnerAddress(ip: string): boolean {
  return ipaddr.isValid(ip) && INNER_RANGES.includes(ipaddr.process(ip).range());
}
