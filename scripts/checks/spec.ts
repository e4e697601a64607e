import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { placesOf, readRules, rulesIn } from './spec-rules.ts';

/**
 * Prints each rule of the specification with the tests that prove it. A test names its rules at the end of its title:
 * `[spec/2 5.3 5.4]` are rules 3 and 4 of section 5 of the second document. Fails for a rule without a test at each of
 * its places, a test of a rule at another place, a tag without a rule, and a test file that docs/security.md names and
 * that is not there. Size and person are checked where a test renders (tests/support/web/render.tsx).
 */

const rules = readRules();
const proofs = new Map<string, string[]>();
const proved = new Map<string, Set<string>>();
const faults: string[] = [];

const files = ['src', 'tests', 'scripts'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' }).map((file) => `${room}/${file}`),
);
for (const file of files.filter((file) => /\.test\.tsx?$/.test(file)).sort()) {
  const places = placesOf(file);
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    for (const id of rulesIn(line)) {
      const where = `${file}:${index + 1}`;
      const rule = rules.get(id);
      if (!rule) faults.push(`${where}: there is no rule ${id}`);
      else {
        const here = rule.places.filter((place) => places.has(place));
        if (here.length === 0)
          faults.push(`${where}: ${id} is about ${rule.places.join(' and ')}, which this file does not test`);
        proved.set(id, new Set([...(proved.get(id) ?? []), ...here]));
      }
      proofs.set(id, [...(proofs.get(id) ?? []), where]);
    }
  }
}
for (const [id, { text, places, size, people }] of rules) {
  console.log(
    `${id}: ${text} @ ${places.join('+')}, ${size}, ${people.join('+')}\n  ${proofs.get(id)?.join('\n  ')}`,
  );
  for (const place of places.filter((place) => !proved.get(id)?.has(place)))
    faults.push(`${id} has no test at ${place}: ${text}`);
}
for (const [file] of readFileSync('docs/security.md', 'utf8').matchAll(
  /(?:src|tests|scripts)\/[\w./-]+\.test\.tsx?/g,
))
  if (!existsSync(file)) faults.push(`docs/security.md: there is no ${file}`);

for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
