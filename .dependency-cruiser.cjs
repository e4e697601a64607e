/** The house of CONTRIBUTING.md: who may import whom. Every message says where the code belongs. */

/** The floors, from the lowest: who lies on one may import rooms of the same floor and of lower ones. */
const FLOORS = ['people', 'coupons', 'deals', 'money', 'oversight'];

const ANY_FLOOR = FLOORS.join('|');
/** A room of the server: `src/server/deals/bids/`. */
const ROOM = `^src/server/(${ANY_FLOOR})/[^/]+/`;

const floorOrder = ['server', 'web'].flatMap((side) =>
  FLOORS.slice(0, -1).map((floor, index) => ({
    name: `${side}-floor-of-${floor}`,
    severity: 'error',
    comment: `${floor} may not know a higher floor: what both need belongs on the lower one.`,
    from: { path: `^src/${side}/${floor}/` },
    to: { path: `^src/${side}/(${FLOORS.slice(index + 1).join('|')})/` },
  })),
);

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
      // Routers join the domains with tRPC and with each other; the floors keep the rest of the domains in order. Schemas hold
      // each other: a coupon has the limits of its bids, a bid has its coupon.
      from: { pathNot: `^src/(server/(${ANY_FLOOR}|context|trpc)|contract)` },
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
      comment: 'The server runs without devDependencies. The build replaces macros; the web is bundled.',
      from: { path: '^(src/(server|contract|locales)|db)/' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: 'node_modules/@lingui/core/macro/',
      },
    },
    room('contract-is-the-floor', '^src/contract/', [], 'The contract imports packages only.'),
    {
      name: 'contract-imports-zod-and-lingui-only',
      severity: 'error',
      comment: 'The contract is shared with the browser: zod, the texts, and nothing else.',
      from: { path: '^src/contract/' },
      to: { dependencyTypes: ['npm', 'core'], pathNot: 'node_modules/(zod|@lingui/core/macro)' },
    },
    room(
      'core',
      '^src/server/core/',
      ['^src/(contract|locales)/'],
      'core knows only the contract and the texts.',
    ),
    room(
      'database',
      '^src/server/database/',
      ['^src/server/core/', '^src/contract/base/market\\.ts$'],
      'database knows only core and the name of the market; rules belong in a domain.',
    ),
    room('redis', '^src/server/redis/', ['^src/server/core/'], 'redis knows only core.'),
    room(
      'providers',
      '^src/server/providers/',
      ['^src/server/(core|readers)/', '^src/contract/'],
      'Providers know no room: hand them plain values.',
    ),
    room(
      'readers',
      '^src/server/readers/',
      [
        '^src/server/core/',
        '^src/server/providers/guarded-network\\.ts$',
        '^src/contract/',
        '^src/web/public/favicon\\.svg$',
      ],
      'Readers know no room: they turn what others wrote into plain values.',
    ),
    room(
      'texts',
      '^src/server/texts/',
      ['^src/server/core/', '^src/contract/'],
      'Texts know no room: they get their parameters.',
    ),
    room(
      'sandbox',
      '^src/sandbox/',
      ['^src/contract/'],
      'The sandbox is a program of its own, like the providers that it stands in for.',
    ),
    {
      name: 'sandbox-by-address-only',
      severity: 'error',
      comment:
        'The sandbox is a program of its own: scripts/programs/sandbox.ts starts it, the server gets its address.',
      from: {
        path: '^(src|db|scripts)/',
        pathNot: ['^src/sandbox/', '^scripts/programs/(sandbox|release-backup)\\.ts$'],
      },
      to: { path: '^src/sandbox/' },
    },
    room(
      'rooms',
      `${ROOM}(?![a-z-]*router\\.ts$)`,
      [ROOM, '^src/server/(context|database|providers|readers|texts|core)/', '^src/contract/'],
      'Rooms know neither HTTP nor tRPC nor jobs: move that part to router.ts, rest/ or jobs/.',
    ),
    {
      name: 'no-loose-file',
      severity: 'error',
      comment: 'A file of a floor lies in a room: what several rooms share belongs to the lowest of them.',
      from: { path: `^src/server/(${ANY_FLOOR})/[^/]+$` },
      to: {},
    },
    {
      name: 'only-the-root-imports-routers',
      severity: 'error',
      comment: 'router.ts is how calls reach a room: rooms call each other by service.ts.',
      from: { pathNot: '^src/server/router\\.ts$' },
      to: { path: `${ROOM}[a-z-]*router\\.ts$` },
    },
    ...floorOrder,
    {
      name: 'service-has-no-sql',
      severity: 'error',
      comment:
        'SQL belongs in store.ts, in a store for a part of the room (claims-store.ts), or, where stores of several rooms share a piece of it, in deadlines-sql.ts and the like.',
      from: { path: ROOM, pathNot: '((^|-|/)store|-sql)\\.ts$' },
      to: { path: 'node_modules/(kysely|pg)/' },
    },
    {
      name: 'rules-are-pure',
      severity: 'error',
      comment:
        'rules.ts is pure: it imports the contract, the texts for people and the macros for texts only.',
      from: { path: `${ROOM}rules\\.ts$` },
      to: {
        pathNot: [
          '^src/contract/',
          `${ROOM}rules\\.ts$`,
          '^src/server/texts/',
          'node_modules/@lingui/core/macro/',
        ],
      },
    },
    {
      name: 'one-door',
      severity: 'error',
      comment:
        "Another room is entered by its service.ts, which lists what others may call; types and *-sql.ts are free, and so is a floor's core for its rooms.",
      from: { path: '^src/server/([^/]+)/([^/]+)/' },
      to: {
        path: ROOM,
        pathNot: ['^src/server/$1/($2|core)/', `${ROOM}(service|[a-z-]*-sql)\\.ts$`],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'one-door-from-outside',
      severity: 'error',
      comment:
        'A room is entered by its service.ts, which lists what others may call; router.ts mounts routers.',
      from: { path: '^(src|scripts)/', pathNot: ROOM },
      to: {
        path: ROOM,
        pathNot: `${ROOM}(service|[a-z-]*router)\\.ts$`,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'lucia-only-in-sessions',
      severity: 'error',
      comment: 'lucia is imported by people/sessions alone.',
      from: { pathNot: '^src/server/people/sessions/' },
      to: { path: 'node_modules/lucia/' },
    },
    room(
      'trpc',
      '^src/server/trpc/',
      [ROOM, '^src/server/(context|core)/', '^src/contract/'],
      'trpc has no SQL.',
    ),
    room(
      'routers',
      `${ROOM}[a-z-]*router\\.ts$`,
      [ROOM, '^src/server/(context|core|trpc)/', '^src/contract/'],
      'Routers hold one service call each: SQL and rules belong in the service and its store.',
    ),
    {
      name: 'routers-call-services',
      severity: 'error',
      comment: "A router calls a room's service.ts, never its store, rules or view.",
      from: { path: ['^src/server/trpc/', `${ROOM}[a-z-]*router\\.ts$`] },
      to: { path: `${ROOM}[^/]*(store|rules|view)\\.ts$` },
    },
    room(
      'rest',
      '^src/server/rest/',
      ['^src/server/(context|core|trpc)/', '^src/server/router\\.ts$', '^src/contract/'],
      'rest is a thin door over trpc.',
    ),
    room(
      'jobs',
      '^src/server/jobs/',
      [ROOM, '^src/server/(context|core|database)/', '^src/contract/'],
      'Jobs call services.',
    ),
    {
      name: 'only-tests-import-tests',
      severity: 'error',
      comment:
        'What lies in tests/ is for tests, and for the bench, which opens their browser and fills a market as they do.',
      from: { path: '^(src|db|scripts)/', pathNot: '^scripts/bench/(page-times|market)\\.ts$' },
      to: { path: '^tests/' },
    },
    {
      name: 'web-knows-the-server-by-type',
      severity: 'error',
      comment:
        "The web may only 'import type { AppRouter }' from router.ts; share anything else through the contract.",
      from: { path: '^src/web/' },
      to: { path: '^(src/server|db|scripts)/', pathNot: '^src/server/router\\.ts$' },
    },
    {
      name: 'app-router-by-type-only',
      severity: 'error',
      comment: "Use 'import type' for AppRouter, in lib/trpc.ts alone.",
      from: { path: '^src/web/' },
      to: { path: '^src/server/router\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    room('web-theme', '^src/web/theme/', ['^src/contract/'], 'The theme knows nobody.'),
    room(
      'web-lib',
      '^src/web/lib/',
      ['^src/contract/', '^src/server/router\\.ts$'],
      'lib knows the contract only.',
    ),
    room(
      'web-components',
      '^src/web/components/',
      ['^src/web/(lib|theme)/', '^src/contract/'],
      'Components get props: data belongs in rooms.',
    ),
    room(
      'web-rooms',
      `^src/web/(${ANY_FLOOR})/`,
      [`^src/web/(${ANY_FLOOR})/`, '^src/web/(components|lib|theme)/', '^src/contract/'],
      'Rooms know components and lib; pages compose them.',
    ),
    room(
      'web-pages',
      '^src/web/pages/',
      [`^src/web/(${ANY_FLOOR})/`, '^src/web/(components|lib|theme)/', '^src/contract/'],
      'Pages compose rooms.',
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
