import { readFileSync } from 'node:fs';

/**
 * The share of the files and connections that the system lets a process have open which its clients may take. The rest is
 * for the database, pictures, processes, and modules that are loaded when they are first needed: Node never loads again
 * what it once could not load.
 */
const CLIENTS_SHARE = 0.75;

/** How many connections of clients a process accepts. Linux tells how many it can open; elsewhere there is no limit. */
export const CONNECTIONS_MAX = Math.floor(openFilesLimit() * CLIENTS_SHARE);

function openFilesLimit(): number {
  try {
    const [, limit] = readFileSync('/proc/self/limits', 'utf8').match(/^Max open files +(\d+)/m) ?? [];
    return limit ? Number(limit) : Infinity;
  } catch {
    return Infinity;
  }
}
