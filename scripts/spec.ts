import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * Prints each rule of the specification with the tests that prove it. A test names its rules at the end of its title:
 * `[spec/2 5.3 5.4]` are rules 3 and 4 of section 5 of the second document. Fails for a rule without a test, a tag
 * without a rule, and a test file that docs/security.md names and that is not there.
 */

const TAG = /\[(spec\/\d|decisions) ([\d. ]+)\]/g;

const rules = new Map(
  readFileSync('docs/spec-rules.txt', 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
);
const proofs = new Map<string, string[]>();
const faults: string[] = [];

const files = ['src', 'tests', 'scripts'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' }).map((file) => `${room}/${file}`),
);
for (const file of files.filter((file) => /\.test\.tsx?$/.test(file)).sort()) {
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    for (const [, document = '', numbers = ''] of line.matchAll(TAG)) {
      for (const rule of numbers.split(' ').map((number) => `${document} ${number}`)) {
        if (!rules.has(rule)) faults.push(`${file}:${index + 1}: there is no rule ${rule}`);
        proofs.set(rule, [...(proofs.get(rule) ?? []), `${file}:${index + 1}`]);
      }
    }
  }
}
for (const [rule, text] of rules) {
  console.log(`${rule}: ${text}\n  ${proofs.get(rule)?.join('\n  ')}`);
  if (!proofs.has(rule)) faults.push(`${rule} has no test: ${text}`);
}
for (const [file] of readFileSync('docs/security.md', 'utf8').matchAll(
  /(?:src|tests|scripts)\/[\w./-]+\.test\.tsx?/g,
))
  if (!existsSync(file)) faults.push(`docs/security.md: there is no ${file}`);

for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
