/**
 * A number from 0 to below 1 that depends on nothing but the seed and on what it decides. So a run of which some acts
 * are left out makes all other choices as before.
 * @param about what is decided, such as the name of a task and the number of its step
 */
export function chance(seed: number, ...about: readonly (string | number)[]): number {
  // FNV-1a over the text, then the last mix of MurmurHash3.
  let hash = 0x811c9dc5 ^ seed;
  for (const char of about.join('|')) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** One of several choices, all equally likely. @throws Error when there is none */
export function choose<Choice>(chosen: number, choices: readonly Choice[]): Choice {
  const choice = choices[Math.floor(chosen * choices.length)];
  if (choice === undefined) throw new Error('There is nothing to choose from');
  return choice;
}
