import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** How to resolve and reach names; tests put their own servers behind public addresses. */
export interface Network {
  /** Every address of a name. */
  resolve(hostname: string): Promise<readonly string[]>;
  /** Where to connect for an address that may be reached: normally the address itself. */
  route(address: string): string;
  /** Whether an address may be reached. */
  mayReach(address: string): boolean;
  readonly protocols: readonly string[];
}

/** Reaches public addresses alone: none that is private, local, mapped, translated or reserved. */
export const internet: Network = {
  resolve: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
  route: (address) => address,
  mayReach: isPublic,
  protocols: ['https:'],
};

function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'unicast';
}

/** For development: this machine's own servers alone, without TLS. */
export const ownMachine: Network = {
  ...internet,
  mayReach: (address) => ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback',
  protocols: ['http:'],
};

export type AddressProblem = 'malformed' | 'protocol' | 'credentials' | 'not_public' | 'unknown_host';

/** An address that must not be reached. */
export class AddressRefusal extends Error {
  override readonly name = 'AddressRefusal';
  readonly problem: AddressProblem;

  constructor(problem: AddressProblem) {
    super(problem);
    this.problem = problem;
  }
}

/**
 * An address that may be asked. The URL parser has already turned 0x7f.1 and 2130706433 into 127.0.0.1.
 * @throws AddressRefusal
 */
export function checkedUrl(text: string, network: Network): URL {
  if (!URL.canParse(text)) throw new AddressRefusal('malformed');
  const url = new URL(text);
  if (!network.protocols.includes(url.protocol)) throw new AddressRefusal('protocol');
  if (url.username !== '' || url.password !== '') throw new AddressRefusal('credentials');
  const hostname = bareHost(url);
  // A literal address needs no DNS lookup.
  if (ipaddr.isValid(hostname) && !network.mayReach(hostname)) throw new AddressRefusal('not_public');
  return url;
}

/**
 * `checkedUrl`, for an address that is asked later: also looks its name up.
 * @throws AddressRefusal
 */
export async function checkReachable(text: string, network: Network): Promise<void> {
  const hostname = bareHost(checkedUrl(text, network));
  if (!ipaddr.isValid(hostname)) await addressesOf(hostname, network);
}

function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** @throws AddressRefusal where one of them must not be reached, or there is none */
async function addressesOf(hostname: string, { resolve, mayReach }: Network): Promise<readonly string[]> {
  const addresses = await resolve(hostname).catch((): readonly string[] => []);
  if (addresses.length === 0) throw new AddressRefusal('unknown_host');
  if (!addresses.every(mayReach)) throw new AddressRefusal('not_public');
  return addresses;
}

/** The DNS lookup of each connection: it connects to the address that was checked, so a later DNS answer is ignored. */
export function guardedLookup(network: Network): LookupFunction {
  const found = async (hostname: string) =>
    (await addressesOf(hostname, network))
      .map(network.route)
      .map((address) => ({ address, family: ipaddr.parse(address).kind() === 'ipv6' ? 6 : 4 }));
  return (hostname, options, done) => {
    found(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) done(null, addresses);
        else done(null, first?.address ?? '', first?.family);
      },
      (error: NodeJS.ErrnoException) => done(error, ''),
    );
  };
}
