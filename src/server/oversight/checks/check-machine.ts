import { statfs } from 'node:fs/promises';
import { connect } from 'node:tls';
import { plural, t } from '@lingui/core/macro';
import { environmentSchema } from '#server/core/environment.ts';
import { type Arrival, isInnerAddress } from '#server/core/proxies.ts';
import { isObviousKey } from '#server/core/secret-key.ts';
import { isPublic } from '#server/core/unsafe-settings.ts';
import { publishedKeys } from '#server/coupons/exposures/service.ts';
import { keysInUse, lookAtVault } from '#server/database/vault.ts';
import { checkFolder } from '#server/providers/storage/folder-storage.ts';
import { RENEW_DAYS } from './check-services.ts';
import {
  attention,
  broken,
  type CheckOf,
  type Examined,
  type Finding,
  good,
  notSetUp,
  reasonOf,
  worstOf,
} from './findings.ts';

/** What begins like a setting of ours, but belongs to Node.js, to OpenTelemetry or to others. */
const OTHERS = /^(NODE|OTEL|GOOGLE|WEB|LOG|DATA|PUBLIC|ALLOW|SECRET|COUNTRY|SUPPORT)_/;
/** What Kubernetes and Docker add for a service of that name. */
const OF_SERVICES = /_(?:(?:SERVICE_(?:HOST|PORT)|PORT_\d{1,5}_(?:TCP|UDP))(?:_|$)|PORT$)/;

/** Names in the environment that look like ours, and are none: a letter wrong, or the beginning of one of ours. */
export function strangeNames(given: readonly string[]): string[] {
  const known = Object.keys(environmentSchema.shape);
  const families = new Set(
    known.filter((name) => name.includes('_') && !OTHERS.test(name)).map((name) => name.split('_')[0]),
  );
  return given.filter((name) => {
    if (known.includes(name) || name === 'CLIPSWAP_PASSWORD' || OF_SERVICES.test(name)) return false;
    const isOfFamily = name.includes('_') && families.has(name.split('_')[0]);
    return isOfFamily || (name.length > 5 && known.some((own) => isOneSlipAway(name, own)));
  });
}

/** Whether one letter is missing, too many or another one, or two neighbours are swapped. */
function isOneSlipAway(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  const rest = (text: string, from: number) => text.slice(at + from);
  if (short.length < long.length) return rest(short, 0) === rest(long, 1);
  const isSwap = short[at] === long[at + 1] && short[at + 1] === long[at] && rest(short, 2) === rest(long, 2);
  return rest(short, 1) === rest(long, 1) || isSwap;
}

export const settings: CheckOf = {
  id: 'settings',
  name: () => t`Settings`,
  async look({ environment, config }) {
    const names = strangeNames(Object.keys(environment)).sort().join(', ');
    const { hostname } = new URL(config.publicUrl);
    if (!config.isProduction && isPublic(hostname))
      return broken(
        t`NODE_ENV is not production, but everyone can reach this address, and some accounts have a known password.`,
        t`Set NODE_ENV=production, and start with an empty database.`,
      );
    if (names !== '')
      return attention(
        t`Unknown settings, ignored: ${names}`,
        t`Compare them with .env.example: there may be a typo.`,
      );
    return good(
      config.isProduction
        ? t`All settings are known and usable.`
        : t`All settings are known and usable. This is an installation for development.`,
    );
  },
};

export const secretKey: CheckOf = {
  id: 'secret-key',
  name: () => t`Secret key`,
  async look({ config: { secretKeys, isProduction }, db, environment }) {
    if (isObviousKey(secretKeys[0]))
      return broken(
        t`SECRET_KEY can be guessed.`,
        t`Generate one (openssl rand -base64 32), and switch to it as described in docs/operations.md.`,
      );
    const { fits } = await lookAtVault(db, secretKeys);
    if (fits === false)
      return broken(
        t`SECRET_KEY cannot decrypt this database.`,
        t`Set the key that this database was created with.`,
      );
    if (secretKeys.length > 1) {
      const isRotated = (await keysInUse(db, secretKeys)).length === 1;
      return isRotated
        ? attention(
            t`Everything is encrypted under the first key of SECRET_KEY, but older ones are still set.`,
            t`Remove the older keys from SECRET_KEY, and keep them with the backups from that time.`,
          )
        : attention(
            t`Some encrypted data still needs an older key of SECRET_KEY.`,
            t`Run “npm run rotate-keys” until it says that the other keys can be removed.`,
          );
    }
    if (!environment.SECRET_KEY && !isProduction)
      return good(t`The secret key was generated at the first start and is in the data folder.`);
    return good(
      fits === null
        ? t`SECRET_KEY is set. Nothing is encrypted with it yet.`
        : t`SECRET_KEY decrypts this database. Keep a copy of it, separate from the backups.`,
    );
  },
};

/** Free space below which writes may soon fail, and below which they do, in bytes. */
const [LITTLE, NEARLY_NONE] = [1_073_741_824, 104_857_600];

/** The folders on this machine that we write to. */
function foldersOf({ config }: Examined): string[] {
  const { storage, databaseUrl, dataDir } = config;
  const folders = [
    ...(storage.kind === 'folder' ? [storage.folder] : []),
    ...(databaseUrl === undefined ? [dataDir] : []),
  ];
  return [...new Set(folders)];
}

export const disk: CheckOf = {
  id: 'disk',
  name: () => t`Disk`,
  async look(examined) {
    const folders = foldersOf(examined);
    if (folders.length === 0) return notSetUp(t`Nothing is stored on this machine.`);
    const findings = await Promise.all(folders.map(lookAtFolder));
    return worstOf(findings, findings[0] ?? notSetUp(t`Nothing is stored on this machine.`));
  },
};

async function lookAtFolder(folder: string): Promise<Finding> {
  try {
    await checkFolder(folder);
  } catch (error) {
    const reason = reasonOf(error);
    return broken(
      t`${folder} cannot be written to: ${reason}`,
      t`Make the user who runs this program the owner of the folder, and check the free space.`,
    );
  }
  const { bavail, bsize } = await statfs(folder);
  return judgeSpace(folder, bavail * bsize);
}

/** @param free in bytes */
export function judgeSpace(folder: string, free: number): Finding {
  const gigabytes = Math.round(free / 107_374_182.4) / 10;
  const facts = t`${folder} can be written to, and has ${gigabytes} GB free.`;
  const advice = t`Free up space, or move the folder to a larger disk.`;
  if (free < NEARLY_NONE) return broken(facts, advice);
  return free < LITTLE ? attention(facts, advice) : good(facts);
}

const ASK_MS = 8_000;

/** Asks ourselves by the public address: whether it leads here, and when its certificate ends. */
export const publicUrl: CheckOf = {
  id: 'public-url',
  name: () => t`Public address`,
  async look(examined) {
    const { publicUrl: address } = examined.config;
    const ask = (path: string) =>
      fetch(address + path, { redirect: 'manual', signal: AbortSignal.timeout(ASK_MS) });
    let health: Response;
    try {
      health = await ask('/healthz');
    } catch (error) {
      return unreachable(address, reasonOf(error), examined.arrival !== null);
    }
    const { status } = health;
    const answer = (await health.json().catch(() => null)) as { status?: unknown } | null;
    if (status !== 200 || answer?.status !== 'ok')
      return broken(
        t`${address} reaches something else: /healthz answers ${status}.`,
        t`Set the proxy to pass all requests for this host name to PORT, without changing the path or asking for a password.`,
      );
    if (!(await isThisInstallation(examined, ask)))
      return broken(
        t`${address} reaches another installation: its keys differ from the keys in this database.`,
        t`Correct the proxy, PUBLIC_URL or DATABASE_URL.`,
      );
    const days = address.startsWith('https:') ? await certificateDays(address) : null;
    if (days === null) return good(t`${address} reaches this server.`);
    const facts = plural(days, {
      0: `${address} leads here, and its certificate ends today.`,
      one: `${address} leads here, and its certificate ends in # day.`,
      other: `${address} leads here, and its certificate ends in # days.`,
    });
    return days < RENEW_DAYS.tls
      ? attention(facts, t`Renew the certificate: automatic renewal has not worked.`)
      : good(facts);
  },
};

function unreachable(address: string, reason: string, hasArrived: boolean): Finding {
  const facts = t`This server cannot reach ${address}: ${reason}`;
  // The admin's browser has come that way.
  if (hasArrived)
    return attention(
      facts,
      t`Your browser can. Allow the server to reach its own address too, so that we can check it from here.`,
    );
  return broken(facts, t`Start the server, and check the DNS entry, the certificate and the proxy in front.`);
}

/** Each installation signs with keys of its own, and publishes them. Without keys nobody knows. */
async function isThisInstallation(
  { db }: Examined,
  ask: (path: string) => Promise<Response>,
): Promise<boolean> {
  const own = await publishedKeys({ db }).catch(() => []);
  if (own.length === 0) return true;
  const answer = await ask('/.well-known/jwks.json').then(
    (response) => response.json() as Promise<{ keys?: { kid?: string }[] }>,
  );
  return (answer.keys ?? []).some(({ kid }) => own.some((key) => key.kid === kid));
}

/** The days until the certificate of an https: address ends. */
function certificateDays(address: string): Promise<number> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname }, () => {
      const { valid_to } = socket.getPeerCertificate();
      socket.destroy();
      resolve(Math.floor((Date.parse(valid_to) - Date.now()) / 86_400_000));
    });
    socket.setTimeout(ASK_MS, () => socket.destroy(new Error('no answer')));
    socket.once('error', reject);
  });
}

/** The admin's own request: what the proxies in front have told of it. */
export const proxy: CheckOf = {
  id: 'proxy',
  name: () => t`Proxy in front`,
  look: async ({ arrival, config }) => arrival && judgeArrival(arrival, config.trustProxy, config.publicUrl),
};

/** Whether the address that we see can be the visitor's. */
export function judgeArrival(
  arrival: Arrival,
  trusted: Examined['config']['trustProxy'],
  address: string,
): Finding {
  const { peer, ip, forwardedFor, forwardedProto } = arrival;
  const hops = forwardedFor.length;
  const { protocol, hostname } = new URL(address);
  if (hops > 0 && trusted === false)
    return broken(
      t`A proxy reports each visitor’s address, but we ignore it: we see everyone’s address as ${ip}.`,
      t`Set TRUST_PROXY to the number of proxies in front (1), or to their addresses.`,
    );
  if (hops === 0 && trusted !== false)
    return attention(
      t`TRUST_PROXY is set, but no proxy has reported your address. We see it as ${ip}.`,
      t`Set the proxy to send X-Forwarded-For. Without a proxy, set TRUST_PROXY=false: otherwise visitors can choose their address.`,
    );
  if (typeof trusted === 'number' && trusted > hops)
    return broken(
      plural(hops, {
        one: 'TRUST_PROXY trusts more proxies than there are: # has reported your address. Visitors can choose their address.',
        other:
          'TRUST_PROXY trusts more proxies than there are: # have reported your address. Visitors can choose their address.',
      }),
      t`Set TRUST_PROXY to ${hops}.`,
    );
  if (isInnerAddress(ip) && isPublic(hostname))
    return attention(
      t`We see your address as ${ip}, which is in a private network. If you are not in that network, it belongs to a proxy, and all visitors share it.`,
      t`Raise TRUST_PROXY to the number of proxies in front, or list their addresses.`,
    );
  const expected = protocol.replace(':', '');
  if (forwardedProto !== null && forwardedProto !== expected)
    return attention(
      t`The proxy says that you came by ${forwardedProto}, but PUBLIC_URL begins with ${expected}.`,
      t`Set the proxy to send the visitor’s protocol as X-Forwarded-Proto, and to redirect http: to https:.`,
    );
  return good(
    hops === 0
      ? t`There is no proxy in front. We see your address as ${ip}.`
      : t`We see your address as ${ip}, as reported by the proxy ${peer}.`,
  );
}
