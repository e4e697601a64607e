import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * The rules of the product, from docs/spec-rules.txt. Each line ends with the place that its document states:
 * `@ exchanges, phone, member` is a page, a size and a person. A place is a module of the web that a test renders or
 * calls (a page, a dialog, a component), `browser` for a test with a real one, or `api` for a call; several are joined
 * by `+`, and each needs a test.
 */
export interface Rule {
  readonly text: string;
  readonly places: readonly string[];
  readonly size: Size;
  readonly people: readonly RulePerson[];
}

const SIZES = ['any', 'phone', 'desktop'] as const;
type Size = (typeof SIZES)[number];
const PEOPLE = ['any', 'visitor', 'member', 'moderator', 'admin'] as const;
type RulePerson = (typeof PEOPLE)[number];

const LINE =
  /^(?<id>(?:spec\/\d|decisions) [\d.]+): (?<text>.+) @ (?<places>[\w+-]+), (?<size>\w+), (?<people>[\w+]+)$/;

/** @throws Error for a line of another form, and for a number that two lines have */
export function readRules(): ReadonlyMap<string, Rule> {
  const rules = new Map<string, Rule>();
  for (const line of readFileSync('docs/spec-rules.txt', 'utf8').split('\n').filter(Boolean)) {
    const { id = '', text = '', places = '', size, people = '' } = LINE.exec(line)?.groups ?? {};
    const known = people.split('+').map((person) => PEOPLE.find((one) => one === person));
    const knownSize = SIZES.find((one) => one === size);
    if (knownSize === undefined || known.includes(undefined))
      throw new Error(`docs/spec-rules.txt: a rule ends with “@ place, size, person”: ${line}`);
    if (rules.has(id)) throw new Error(`docs/spec-rules.txt: there are two rules ${id}`);
    const all = known.filter((person) => person !== undefined);
    rules.set(id, { text, places: places.split('+'), size: knownSize, people: all });
  }
  return rules;
}

const TAG = /\[(spec\/\d|decisions) ([\d. ]+)\]/g;

/** The rules that the title of a test names: `[spec/2 5.3 5.4]` are two. */
export function rulesIn(title: string): string[] {
  return [...title.matchAll(TAG)].flatMap(([, document = '', numbers = '']) =>
    numbers.split(' ').map((number) => `${document} ${number}`),
  );
}

/** What a test file renders or calls: the modules that it imports, also by the helpers of the web's tests. */
export function placesOf(file: string): ReadonlySet<string> {
  if (file.startsWith('tests/browser/')) return new Set(['browser']);
  if (!file.startsWith('src/web/')) return new Set(['api']);
  const stem = basename(file).replace(/\.test\.tsx?$/, '');
  const hasModule = ['ts', 'tsx'].some((end) => existsSync(join(dirname(file), `${stem}.${end}`)));
  return new Set([...(hasModule ? [stem] : []), ...importsOf(file)]);
}

function importsOf(file: string): string[] {
  const imported = [
    ...readFileSync(file, 'utf8').matchAll(/from '(?:#web|#tests|\.\.?)\/([\w/.-]+)\.tsx?'/g),
  ];
  return imported.flatMap(([, path = '']) => [
    basename(path),
    ...(path.startsWith('support/web/') && existsSync(`tests/${path}.tsx`)
      ? importsOf(`tests/${path}.tsx`)
      : []),
  ]);
}

/** Why a test with these rules in its title may not render so; null if it may. */
export function misplaced(
  rules: ReadonlyMap<string, Rule>,
  title: string,
  seen: { role: 'user' | 'moderator' | 'admin' | null; width: number },
): string | null {
  const fits = (person: RulePerson) =>
    person === 'any' ||
    (person === 'visitor' && seen.role === null) ||
    (person === 'member' && seen.role !== null) ||
    person === seen.role;
  for (const id of rulesIn(title)) {
    const rule = rules.get(id);
    if (!rule) continue;
    if (!rule.people.some(fits))
      return `${id} is about a ${rule.people.join(' or ')}; this test renders for ${seen.role ?? 'a visitor'}`;
    if (rule.size !== 'any' && (rule.size === 'phone') !== seen.width < PHONE_BELOW)
      return `${id} is about a ${rule.size}; this test renders ${seen.width} px`;
  }
  return null;
}

/** Below this width, in CSS pixels, the pages are those of a phone. */
const PHONE_BELOW = 768;
