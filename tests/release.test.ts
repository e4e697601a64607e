import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { environmentSchema } from '#server/core/environment.ts';
import manifest from '../package.json' with { type: 'json' };
import lock from '../package-lock.json' with { type: 'json' };

/** What can be known of the image, the workflows and the chart without Docker and Kubernetes. */

const ROOT = path.resolve(import.meta.dirname, '..');
const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');
const SETTINGS = Object.keys(environmentSchema.shape);
const dockerfile = read('Dockerfile');

// biome-ignore lint/suspicious/noExplicitAny: what a YAML file has is looked at step by step
type Yaml = any;

/** What a workflow knows by name. */
const expression = (name: string) => `\${{ ${name} }}`;

/** A program of this machine; undefined where it is not installed. */
const installed = (name: string) =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((place) => path.join(place, name))
    .find((file) => existsSync(file));

describe('the image', () => {
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));

  it('says what it is, runs as somebody without rights, and by a version of Node.js that we support', () => {
    const labels = [...last.matchAll(/org\.opencontainers\.image\.(\w+)=/g)].map(([, name]) => name);
    expect(labels).toEqual(['title', 'description', 'licenses', 'version', 'revision', 'source']);
    expect(last).toContain(`image.description="${manifest.description}"`);
    expect(last).toMatch(/^USER [1-9]\d*$/m);
    const bases = [...dockerfile.matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases)).toEqual(new Set(['node:24-bookworm-slim']));
    expect(manifest.engines.node).toBe('>=20.19');
  });

  it('has each native package for amd64 and arm64, with the C library of its base', () => {
    interface Locked {
      readonly version?: string;
      readonly dev?: boolean;
      readonly os?: readonly string[];
      readonly cpu?: readonly string[];
      readonly libc?: readonly string[];
      readonly optionalDependencies?: Readonly<Record<string, string>>;
    }
    const packages = lock.packages as Readonly<Record<string, Locked>>;
    const fits = (cpu: string) => (name: string) => {
      const found = packages[`node_modules/${name}`];
      return (
        found?.os?.includes('linux') === true &&
        found.cpu?.includes(cpu) === true &&
        (found.libc ?? ['glibc']).includes('glibc') &&
        !/musl/.test(name)
      );
    };
    const missing: string[] = [];
    let families = 0;
    for (const [place, { dev, cpu, optionalDependencies = {} }] of Object.entries(packages)) {
      const names = Object.keys(optionalDependencies);
      // What a native package itself needs is of its own kind.
      if (dev || cpu || !names.some(fits('x64'))) continue;
      families += 1;
      if (names.filter(fits('x64')).length !== names.filter(fits('arm64')).length) missing.push(place);
    }
    expect(missing).toEqual([]);
    // argon2 and sharp at least.
    expect(families).toBeGreaterThanOrEqual(2);
  });
});

describe('the workflows', () => {
  const files = readdirSync(path.join(ROOT, '.github/workflows'));

  it.each(files)('%s pins actions by commits, and lets nobody do more than needed', (file) => {
    const text = read(`.github/workflows/${file}`);
    const workflow: Yaml = parse(text);
    const steps: Yaml[] = Object.values<Yaml>(workflow.jobs).flatMap((job) => job.steps);
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.filter((uses) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(uses))).toEqual([]);
    // What the commit stands for.
    expect(text.match(/uses: \S+ # v\d+\.\d+\.\d+$/gm)).toHaveLength(used.length);
    expect(['{}', '{"contents":"read"}']).toContain(JSON.stringify(workflow.permissions));
    for (const [name, job] of Object.entries<Yaml>(workflow.jobs)) {
      expect(job['timeout-minutes']).toBeGreaterThan(0);
      // Whoever signs proves to be this workflow, and reads nothing of the repository.
      const allowed =
        name === 'sign' ? ['packages: write', 'id-token: write'] : ['contents: read', 'packages: write'];
      for (const [right, level] of Object.entries(job.permissions ?? {}))
        expect(allowed).toContain(`${right}: ${level}`);
    }
    // A text of somebody else's in a command could be a command.
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });

  const actionlint = installed('actionlint');
  it.runIf(actionlint)('have nothing that actionlint finds', () => {
    const given = files.map((file) => path.join(ROOT, '.github/workflows', file));
    expect(execFileSync(actionlint ?? '', ['-no-color', ...given], { encoding: 'utf8' })).toBe('');
  });

  it('sign what was built, by its digest, and verify it as the docs tell operators to', () => {
    const { jobs }: Yaml = parse(read('.github/workflows/release.yml'));
    expect(jobs.image.outputs).toEqual({ digest: expression('steps.build.outputs.digest') });
    expect(jobs.image.steps.filter(({ id }: Yaml) => id === 'build')).toMatchObject([
      { uses: expect.stringMatching(/^docker\/build-push-action@/) },
    ]);
    expect([jobs.sign.needs, jobs.chart.needs]).toEqual(['image', 'sign']);
    const { run, env } = jobs.sign.steps.at(-1);
    expect(env.DIGEST).toBe(expression('needs.image.outputs.digest'));
    expect(run).toMatch(/^cosign sign --yes "\$\{IMAGE,,\}@\$DIGEST"$/m);
    const told =
      /cosign verify \S+ \\\n\s+--certificate-identity (\S+) \\\n\s+(--certificate-oidc-issuer \S+)/.exec(
        read('docs/operations.md'),
      );
    const [, identity = '', issuer = ''] = told ?? [];
    expect(env.IDENTITY.replace(expression('github.repository'), 'OWNER/REPOSITORY')).toBe(
      identity.replace('refs/tags/v1.2.3', expression('github.ref')),
    );
    expect(run).toContain(issuer);
  });

  it('builds the release for both kinds of machine, with its parts and its origin', () => {
    const workflow: Yaml = parse(read('.github/workflows/release.yml'));
    expect(workflow.on).toEqual({ push: { tags: ['v*'] } });
    const steps: Yaml[] = workflow.jobs.image.steps;
    const build = steps.find(({ uses = '' }) => uses.startsWith('docker/build-push-action'));
    expect(build.with).toMatchObject({
      platforms: 'linux/amd64,linux/arm64',
      push: true,
      sbom: true,
      provenance: 'mode=max',
    });
    const given = [...build.with['build-args'].matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    const taken = [...dockerfile.matchAll(/^ARG (\w+)/gm)].map(([, name]) => name);
    expect(given).toEqual(taken);
    const meta = steps.find(({ id }) => id === 'meta');
    expect(meta.with.tags.trim().split('\n')).toEqual([
      'type=semver,pattern={{version}}',
      'type=semver,pattern={{major}}.{{minor}}',
    ]);
  });
});

it('compose takes an image or builds one, and sets what we know', () => {
  const { services }: Yaml = parse(read('compose.yaml'));
  expect(services.clipswap).toMatchObject({
    image: expect.stringContaining('CLIPSWAP_IMAGE'),
    build: { context: '.' },
    healthcheck: { test: expect.arrayContaining(['CMD', 'node']) },
  });
  expect(services.proxy.depends_on.clipswap).toEqual({ condition: 'service_healthy' });
  const names = Object.keys(services.clipswap.environment);
  expect(names.filter((name) => !SETTINGS.includes(name))).toEqual(['PGPASSWORD']);
});

describe('the chart', () => {
  const folder = path.join(ROOT, 'charts/clipswap');
  const templates = readdirSync(path.join(folder, 'templates'))
    .map((name) => read(`charts/clipswap/templates/${name}`))
    .join('\n');
  const values: Yaml = parse(read('charts/clipswap/values.yaml'));
  const chosen: Yaml = parse(read('charts/clipswap/ci/values.yaml'));

  it('is of this release, and its values fit their schema', () => {
    expect(parse(read('charts/clipswap/Chart.yaml'))).toMatchObject({ appVersion: manifest.version });
    const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(
      JSON.parse(read('charts/clipswap/values.schema.json')),
    );
    for (const given of [values, { ...values, ...chosen }]) {
      validate(given);
      expect(validate.errors).toBeNull();
    }
    expect(validate({ ...values, replicas: 3 })).toBe(false);
    expect(validate({ ...values, settings: { PORT: 3000 } })).toBe(false);
  });

  it('uses values that exist, and uses all', () => {
    const used = new Set([...templates.matchAll(/\.Values\.([\w.]+)/g)].map(([, name = '']) => name));
    const at = (name: string) => name.split('.').reduce((value, part) => value?.[part], values);
    expect([...used].filter((name) => name !== 'settings.S3_BUCKET' && at(name) === undefined)).toEqual([]);
    const leaves = (value: Yaml, prefix: string): string[] =>
      Object.entries<Yaml>(value).flatMap(([key, inner]) =>
        used.has(prefix + key) || typeof inner !== 'object' || Object.keys(inner).length === 0
          ? [prefix + key]
          : leaves(inner, `${prefix}${key}.`),
      );
    expect(leaves(values, '').filter((name) => !used.has(name))).toEqual([]);
  });

  it('sets settings that exist, and asks for pages that exist', () => {
    const names = [...templates.matchAll(/- name: ([A-Z_]+)$/gm)].map(([, name = '']) => name);
    const set = [...names, ...Object.keys({ ...values.settings, ...chosen.settings })];
    expect(set.filter((name) => !SETTINGS.includes(name))).toEqual(['HOME']);
    const health = read('src/server/rest/health.ts');
    for (const [, page] of templates.matchAll(/httpGet:\s+path: (\S+)/g))
      expect(health).toContain(`app.get('${page}'`);
    const [, script = ''] = /command: \[node, --import, \S+, (\S+)\]/.exec(templates) ?? [];
    expect(manifest.scripts.migrate).toContain(script);
  });

  const program = installed('helm');
  const helm = (...args: string[]) => execFileSync(program ?? '', args, { encoding: 'utf8', stdio: 'pipe' });
  const render = (...args: string[]): Yaml[] =>
    parseAllDocuments(helm('template', 'shop', folder, ...args)).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS();
    });

  describe.runIf(program)('rendered by helm', () => {
    const all = ['--values', path.join(folder, 'ci/values.yaml')];
    const few = [
      '--set=publicUrl=https://clipswap.example',
      '--set=existingSecret=own',
      '--set=image.repository=ghcr.io/owner/clipswap',
    ];

    it('passes its lint, with all parts and with few', () => {
      for (const chosen of [all, few]) helm('lint', '--strict', folder, ...chosen);
      expect(
        render(...all)
          .map(({ kind }) => kind)
          .sort(),
      ).toEqual([
        'Deployment',
        'Ingress',
        'Job',
        'PodDisruptionBudget',
        'Service',
        'Service',
        'ServiceMonitor',
      ]);
      const least = [...few, '--set=replicaCount=1', '--set=migrations.enabled=false'];
      expect(
        render(...least)
          .map(({ kind }) => kind)
          .sort(),
      ).toEqual(['Deployment', 'Service']);
    });

    it('runs two pods without rights, and migrates before them', () => {
      const objects = render(...all, '--set=files.existingClaim=pictures');
      const of = (kind: string) => objects.find((object) => object.kind === kind);
      const { spec } = of('Deployment');
      expect(spec.replicas).toBe(2);
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
      expect(spec.template.metadata.labels).toMatchObject(
        of('PodDisruptionBudget').spec.selector.matchLabels,
      );
      expect(of('Job').metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade');
      for (const pod of [spec.template.spec, of('Job').spec.template.spec]) {
        expect(pod).toMatchObject({
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, runAsUser: 1000 },
        });
        const [container] = pod.containers;
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.envFrom).toEqual([{ secretRef: { name: 'clipswap' } }]);
        expect(container.volumeMounts.map(({ name }: Yaml) => name)).toEqual(
          pod.volumes.map(({ name }: Yaml) => name),
        );
      }
    });

    it('refuses what it cannot run with', () => {
      for (const left of few) expect(() => render(...few.filter((one) => one !== left))).toThrow(/is needed/);
      expect(() => render(...few, '--set=publicUrl=https://clipswap.example/path')).toThrow(/publicUrl/);
      expect(() => render(...few, '--set=image.digest=latest')).toThrow(/digest/);
    });
  });
});
