/** The house of CONTRIBUTING.md: who may import whom. Every message says where the code belongs. */

/** Domains in their order: a domain may import only those left of it. */
const DOMAINS = [
  ['audit'],
  ['notifications'],
  ['pictures'],
  ['sessions'],
  ['accounts'],
  ['sellers'],
  ['deals'],
  ['away'],
  ['blocks'],
  ['images'],
  ['validations'],
  ['coupons'],
  ['wants'],
  ['exchanges', 'bids'],
  ['matches'],
  ['claims'],
  ['ledger'],
  ['payments'],
  ['messages', 'ratings', 'discover'],
  ['leaderboard'],
  ['profiles', 'seo'],
  ['moderation'],
  ['matters'],
  ['operations'],
];

const domainPath = (names) => `^src/server/domains/(${names.join('|')})/`;

const domainOrder = DOMAINS.flatMap((group, rank) => {
  const above = DOMAINS.slice(rank + 1).flat();
  const siblings = group.map((name) => ({
    name: `domain-${name}-siblings`,
    severity: 'error',
    comment: `${name} may not know its siblings: what both need belongs in a domain further left.`,
    from: { path: domainPath([name]) },
    to: { path: domainPath([...above, ...group.filter((other) => other !== name)]) },
  }));
  return above.length + group.length > 1 ? siblings : [];
});

/** A room and the rooms it may look into (its own is always allowed). */
const room = (name, from, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: '^(src|db|scripts|tests)/', pathNot: [from, ...allowed] },
});

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'Circles hide who owns what.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circle-of-folders',
      severity: 'error',
      comment: 'Folders that need each other are one folder, or one of them holds something of the other.',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      comment: 'The import does not resolve.',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-undeclared-package',
      severity: 'error',
      comment: 'Declare the package in package.json.',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-dev-package-in-product',
      severity: 'error',
      comment: 'The product runs without devDependencies.',
      from: { path: '^(src|db)/', pathNot: ['^src/server/testing/', '^src/web/testing/'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    room('contract-is-the-floor', '^src/contract/', [], 'The contract imports zod only.'),
    {
      name: 'contract-imports-zod-only',
      severity: 'error',
      comment: 'The contract is shared with the browser: zod and nothing else.',
      from: { path: '^src/contract/' },
      to: { dependencyTypes: ['npm', 'core'], pathNot: 'node_modules/zod' },
    },
    room('core', '^src/server/core/', ['^src/contract/'], 'core knows only the contract.'),
    room(
      'database',
      '^src/server/database/',
      ['^src/server/core/'],
      'database knows only core; rules belong in a domain.',
    ),
    room('redis', '^src/server/redis/', ['^src/server/core/'], 'redis knows only core.'),
    room(
      'providers',
      '^src/server/providers/',
      ['^src/server/core/', '^src/contract/'],
      'Providers know no domain: hand them plain values.',
    ),
    room(
      'sandbox',
      '^src/server/sandbox/',
      ['^src/server/(providers|database|core)/', '^src/contract/'],
      'The sandbox stands beside the providers and knows no domain.',
    ),
    {
      name: 'one-place-opens-the-sandbox',
      severity: 'error',
      comment:
        'program.ts alone opens the sandbox, so that nothing of it is loaded where real providers are set up.',
      from: {
        path: '^(src|db|scripts)/',
        pathNot: ['^src/server/(sandbox|testing)/', '^src/server/program\\.ts$'],
      },
      to: { path: '^src/server/sandbox/' },
    },
    room(
      'domains',
      '^src/server/domains/',
      ['^src/server/(database|providers|core)/', '^src/contract/'],
      'Domains know neither HTTP nor tRPC nor jobs: move that part to trpc/, rest/ or jobs/.',
    ),
    ...domainOrder,
    {
      name: 'service-has-no-sql',
      severity: 'error',
      comment: 'SQL belongs in store.ts, or in a store of its own for a part of the domain: claims-store.ts.',
      from: { path: '^src/server/domains/[^/]+/', pathNot: '(^|-|/)store\\.ts$' },
      to: { path: 'node_modules/(kysely|pg)/' },
    },
    {
      name: 'rules-are-pure',
      severity: 'error',
      comment: 'rules.ts is pure: it imports the contract only.',
      from: { path: '^src/server/domains/[^/]+/rules\\.ts$' },
      to: { pathNot: ['^src/contract/', '^src/server/domains/[^/]+/rules\\.ts$'] },
    },
    {
      name: 'stores-stay-home',
      severity: 'error',
      comment:
        "Another domain's store is private: call its service.ts or view.ts. Only deals/store.ts writes other tables.",
      from: { path: '^src/server/domains/([^/]+)/' },
      to: { path: '^src/server/domains/[^/]+/[^/]*(store|rules)\\.ts$', pathNot: '^src/server/domains/$1/' },
    },
    {
      name: 'lucia-only-in-sessions',
      severity: 'error',
      comment: 'lucia is imported by domains/sessions alone.',
      from: { pathNot: '^src/server/domains/sessions/' },
      to: { path: 'node_modules/lucia/' },
    },
    room(
      'trpc',
      '^src/server/trpc/',
      ['^src/server/(domains|core)/', '^src/contract/'],
      'Routers hold one service call each: SQL and rules belong in a domain.',
    ),
    {
      name: 'routers-call-services',
      severity: 'error',
      comment: "A router calls a domain's service.ts, never its store, rules or view.",
      from: { path: '^src/server/trpc/' },
      to: { path: '^src/server/domains/[^/]+/[^/]*(store|rules|view)\\.ts$' },
    },
    room(
      'rest',
      '^src/server/rest/',
      ['^src/server/(trpc|core|domains/context)', '^src/contract/'],
      'rest is a thin door over trpc.',
    ),
    room(
      'jobs',
      '^src/server/jobs/',
      ['^src/server/(domains|database|core)/', '^src/contract/'],
      'Jobs call domain services.',
    ),
    {
      name: 'only-tests-import-testing',
      severity: 'error',
      comment: 'testing/ is for tests.',
      from: { path: '^(src|db|scripts)/', pathNot: '^src/(server|web)/testing/' },
      to: { path: '^src/(server|web)/testing/' },
    },
    {
      name: 'web-knows-the-server-by-type',
      severity: 'error',
      comment:
        "The web may only 'import type { AppRouter }' from trpc/root.ts; share anything else through the contract.",
      from: { path: '^src/web/', pathNot: '^src/web/testing/' },
      to: { path: '^(src/server|db|scripts)/', pathNot: '^src/server/trpc/root\\.ts$' },
    },
    {
      name: 'app-router-by-type-only',
      severity: 'error',
      comment: "Use 'import type' for AppRouter, in lib/trpc.ts alone.",
      from: { path: '^src/web/', pathNot: '^src/web/testing/' },
      to: { path: '^src/server/trpc/root\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    room('web-theme', '^src/web/theme/', ['^src/contract/'], 'The theme knows nobody.'),
    room(
      'web-lib',
      '^src/web/lib/',
      ['^src/contract/', '^src/server/trpc/root\\.ts$'],
      'lib knows the contract only.',
    ),
    room(
      'web-components',
      '^src/web/components/',
      ['^src/web/(lib|theme)/', '^src/contract/'],
      'Components get props: data belongs in features.',
    ),
    room(
      'web-features',
      '^src/web/features/',
      ['^src/web/(components|lib|theme)/', '^src/contract/'],
      'Features know components and lib; pages compose them.',
    ),
    {
      name: 'features-do-not-meet',
      severity: 'error',
      comment: 'Features never import each other: a page composes them, shared parts go to components/.',
      from: { path: '^src/web/features/([^/]+)/' },
      to: { path: '^src/web/features/', pathNot: '^src/web/features/$1/' },
    },
    {
      name: 'trpc-hooks-in-queries-only',
      severity: 'error',
      comment: 'tRPC hooks live in features/*/queries.ts and *-queries.ts.',
      from: {
        path: '^src/web/(features|components|pages)/',
        pathNot: '[/-]queries\\.ts$',
      },
      to: { path: '^src/web/lib/trpc\\.ts$' },
    },
    room(
      'web-pages',
      '^src/web/pages/',
      ['^src/web/(features|components|lib|theme)/', '^src/contract/'],
      'Pages compose features.',
    ),
    {
      name: 'frozen-migrations',
      severity: 'error',
      comment: 'A migration is frozen once landed: it imports kysely and nothing of ours.',
      from: { path: '^db/migrations/' },
      to: { pathNot: 'node_modules/kysely' },
    },
  ],
  options: {
    // Test files may look anywhere, and nothing imports them. knip knows whether what they import exists.
    doNotFollow: { path: ['node_modules', '\\.test\\.tsx?$'] },
    exclude: { path: '^(dist|coverage)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
    combinedDependencies: false,
  },
};
