import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * Three nodes of Patroni, each with its etcd and its PostgreSQL in a network namespace of its own, and HAProxy and PgBouncer
 * before them: what docs/operations.md describes, on one machine, with Debian's packages.
 */

const POSTGRES = '/usr/lib/postgresql/15/bin';
const TOOLS = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy', '/usr/sbin/pgbouncer'];

/** Whether all that this needs is installed, and network namespaces may be made. */
export const hasPatroni =
  process.getuid?.() === 0 && [...TOOLS, `${POSTGRES}/postgres`, '/usr/sbin/ip'].every(existsSync);

const NODES = ['one', 'two', 'three'] as const;
export type NodeName = (typeof NODES)[number];

const BRIDGE = 'clipswap-ha';
const FRONT = '10.213.77.1';
const PASSWORD = 'only-in-tests';
const addressOf = (name: NodeName) => `10.213.77.${11 + NODES.indexOf(name)}`;
const spaceOf = (name: NodeName) => `clipswap-${name}`;
const linkOf = (name: NodeName) => `csha-${name}`;

export interface Cluster {
  /** The database through PgBouncer. */
  readonly url: string;
  /** The database through HAProxy alone. */
  readonly directUrl: string;
  /** The node that takes writes now; null: none does. */
  leader(): Promise<NodeName | null>;
  /** Ends every process of a node at once, as a loss of power does. */
  kill(name: NodeName): Promise<void>;
  /** Starts a node that was killed. */
  start(name: NodeName): Promise<void>;
  /** Takes a node's cable out, or puts it back in. */
  setCable(name: NodeName, isIn: boolean): Promise<void>;
  /** Hands the writes over to a standby in an orderly way. */
  switchOver(): Promise<void>;
  /** Waits until one node leads and the two others follow it, one of them synchronously. */
  untilWhole(): Promise<void>;
  close(): Promise<void>;
}

const execute = promisify(execFile);
const ip = (...args: string[]) => execute('ip', args);

/** What Patroni says of its cluster. */
interface Members {
  readonly members: readonly { name: NodeName; role: string; state: string; timeline?: number }[];
}

/** What each node that answers knows of the cluster; one that was cut off may be behind. */
async function membersByNode(): Promise<Members['members'][]> {
  const answers = await Promise.all(NODES.map((name) => ask(name, '/cluster')));
  const found = answers.flatMap((answer) => (answer?.ok ? [answer.json() as Promise<Members>] : []));
  return (await Promise.all(found)).map(({ members }) => members);
}

const ask = (name: NodeName, at: string) =>
  fetch(`http://${addressOf(name)}:8008${at}`, { signal: AbortSignal.timeout(1_000) }).catch(() => null);

/** Builds the cluster in a folder of its own, and starts it. Slow: a minute or so. */
export async function openCluster(): Promise<Cluster> {
  const folder = await mkdtemp(path.join(tmpdir(), 'clipswap-patroni-'));
  await chmod(folder, 0o755);
  const account = await postgresAccount();
  const own = async (name: string) => {
    const made = path.join(folder, name);
    await mkdir(made, { recursive: true, mode: 0o700 });
    await chown(made, account.uid, account.gid);
    return made;
  };
  const front: ChildProcess[] = [];
  const run = (command: string, args: readonly string[]) =>
    spawn(command, args, { stdio: 'ignore', cwd: folder, env: { PATH: process.env.PATH } });
  /** Within the namespace of a node, as the account of PostgreSQL. */
  const runAt = (name: NodeName, command: string, args: readonly string[]) =>
    run('ip', [
      ...['netns', 'exec', spaceOf(name)],
      ...['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'],
      ...[command, ...args],
    ]);
  const start = async (name: NodeName) => {
    const address = addressOf(name);
    const etcd = await own(`etcd-${name}`);
    runAt(name, 'etcd', [
      ...['--name', name, '--data-dir', etcd, '--logger', 'zap', '--log-level', 'error'],
      ...['--listen-peer-urls', `http://${address}:2380`, '--initial-advertise-peer-urls'],
      ...[`http://${address}:2380`, '--listen-client-urls', `http://${address}:2379`],
      ...['--advertise-client-urls', `http://${address}:2379`, '--initial-cluster'],
      NODES.map((each) => `${each}=http://${addressOf(each)}:2380`).join(','),
    ]);
    await own(`data-${name}`);
    const file = path.join(folder, `patroni-${name}.json`);
    await writeFile(file, JSON.stringify(settingsOf(name, folder)));
    runAt(name, 'patroni', [file]);
  };
  const cluster: Cluster = {
    url: `postgres://clipswap:${PASSWORD}@${FRONT}:6432/clipswap`,
    directUrl: `postgres://clipswap:${PASSWORD}@${FRONT}:5000/clipswap`,
    async leader() {
      const answers = await Promise.all(NODES.map((name) => ask(name, '/primary')));
      return NODES.find((_, index) => answers[index]?.ok) ?? null;
    },
    kill: killNode,
    start,
    async setCable(name, isIn) {
      await ip('link', 'set', linkOf(name), isIn ? 'up' : 'down');
    },
    async switchOver() {
      const [members = []] = await membersByNode();
      const leader = members.find(({ role }) => role === 'leader')?.name;
      const candidate = members.find(({ role }) => role === 'sync_standby')?.name;
      const answer = await fetch(`http://${addressOf(leader ?? 'one')}:8008/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader, candidate }),
      });
      if (!answer.ok) throw new Error(`Patroni did not switch over: ${await answer.text()}`);
    },
    async untilWhole() {
      for (;;) {
        const known = await membersByNode();
        if (known.length === NODES.length && known.every(isWhole)) return;
        await sleep(250);
      }
    },
    async close() {
      for (const child of front) child.kill('SIGKILL');
      await clearNetwork();
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    await clearNetwork();
    await makeNetwork();
    await Promise.all(NODES.map(start));
    await cluster.untilWhole();
    await createOwner(folder, addressOf((await cluster.leader()) ?? 'one'));
    await writeFile(path.join(folder, 'haproxy.cfg'), HAPROXY);
    await writeFile(path.join(folder, 'pgbouncer.ini'), PGBOUNCER);
    front.push(run('haproxy', ['-db', '-f', path.join(folder, 'haproxy.cfg')]));
    front.push(run('pgbouncer', ['-u', 'postgres', path.join(folder, 'pgbouncer.ini')]));
    return cluster;
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

function isWhole(members: Members['members']): boolean {
  const roles = members.map(({ role }) => role).sort();
  const timelines = new Set(members.map(({ timeline }) => timeline));
  const areRunning = members.every(({ state }) => state === 'running' || state === 'streaming');
  return roles.join() === 'leader,replica,sync_standby' && areRunning && timelines.size === 1;
}

async function killNode(name: NodeName): Promise<void> {
  const { stdout } = await ip('netns', 'pids', spaceOf(name));
  for (const pid of stdout.split('\n').filter(Boolean)) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended since it was listed.
    }
  }
}

/** Removes what `makeNetwork` has made, also by a run that was killed. */
async function clearNetwork(): Promise<void> {
  for (const name of NODES) {
    await killNode(name).catch(() => {});
    await ip('link', 'del', linkOf(name)).catch(() => {});
    await ip('netns', 'del', spaceOf(name)).catch(() => {});
  }
  await ip('link', 'del', BRIDGE).catch(() => {});
}

async function postgresAccount(): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map((which) => execute('id', [which, 'postgres']).then(({ stdout }) => Number(stdout))),
  );
  return { uid: uid ?? 0, gid: gid ?? 0 };
}

/** One switch, and a cable from it to each node. */
async function makeNetwork(): Promise<void> {
  await ip('link', 'add', BRIDGE, 'type', 'bridge');
  await ip('addr', 'add', `${FRONT}/24`, 'dev', BRIDGE);
  await ip('link', 'set', BRIDGE, 'up');
  for (const name of NODES) {
    const space = spaceOf(name);
    await ip('netns', 'add', space);
    await ip('link', 'add', linkOf(name), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
    await ip('link', 'set', linkOf(name), 'master', BRIDGE, 'up');
    await ip('-n', space, 'addr', 'add', `${addressOf(name)}/24`, 'dev', 'eth0');
    await ip('-n', space, 'link', 'set', 'eth0', 'up');
    await ip('-n', space, 'link', 'set', 'lo', 'up');
  }
}

/** The settings of docs/operations.md, for one node. Patroni reads YAML, of which JSON is a part. */
function settingsOf(name: NodeName, folder: string) {
  const address = addressOf(name);
  const person = (username: string) => ({ username, password: PASSWORD });
  return {
    scope: 'clipswap',
    name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    etcd3: { hosts: NODES.map((each) => `${addressOf(each)}:2379`) },
    bootstrap: {
      dcs: {
        ttl: 15,
        loop_wait: 2,
        retry_timeout: 3,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        primary_start_timeout: 0,
        master_start_timeout: 0,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100 } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
      pg_hba: ['host replication replicator 10.213.77.0/24 md5', 'host all all 10.213.77.0/24 md5'],
    },
    postgresql: {
      listen: `${address},127.0.0.1:5432`,
      connect_address: `${address}:5432`,
      data_dir: path.join(folder, `data-${name}`, 'pg'),
      bin_dir: POSTGRES,
      pgpass: path.join(folder, `data-${name}`, 'pgpass'),
      authentication: {
        superuser: person('postgres'),
        replication: person('replicator'),
        rewind: person('rewinder'),
      },
      parameters: { unix_socket_directories: path.join(folder, `data-${name}`) },
    },
  };
}

async function createOwner(folder: string, host: string): Promise<void> {
  const statements = [
    `create role clipswap login password '${PASSWORD}'`,
    'create database clipswap owner clipswap',
  ];
  for (const statement of statements)
    await execute('psql', ['-h', host, '-U', 'postgres', '-d', 'postgres', '-c', statement], {
      cwd: folder,
      env: { PATH: process.env.PATH, PGPASSWORD: PASSWORD },
    });
}

const HAPROXY = `
global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 1s
listen primary
  bind ${FRONT}:5000
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${NODES.map((name) => `  server ${name} ${addressOf(name)}:5432 check port 8008`).join('\n')}
`;

const PGBOUNCER = `
[databases]
clipswap = host=${FRONT} port=5000 dbname=clipswap user=clipswap password=${PASSWORD}
[pgbouncer]
listen_addr = ${FRONT}
listen_port = 6432
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
server_login_retry = 1
query_wait_timeout = 10
`;
