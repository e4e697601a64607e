import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** `npm run house` draws the floors and rooms into CONTRIBUTING.md; a test compares the drawing with the folders. */
const ROOT = path.resolve(import.meta.dirname, '../..');
const CONTRIBUTING = path.join(ROOT, 'CONTRIBUTING.md');

/** From the highest: who lies on one may know the lower ones. */
const FLOORS = ['oversight', 'money', 'deals', 'coupons', 'people'];
const WIDTH = 120;

function roomsOf(side: 'server' | 'web', floor: string): string[] {
  const entries = readdirSync(path.join(ROOT, 'src', side, floor), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** The rooms of a floor in lines; those that only one side has are marked. */
function linesOf(floor: string): string[] {
  const [server, web] = [roomsOf('server', floor), roomsOf('web', floor)];
  const lines = [floor.padEnd(11)];
  for (const room of [...new Set([...server, ...web])].sort()) {
    const mark = server.includes(room) ? (web.includes(room) ? '' : '*') : '°';
    const last = lines.at(-1) ?? '';
    if (last.length + room.length + 3 > WIDTH) lines.push(`${' '.repeat(11)} ${room}${mark}`);
    else lines[lines.length - 1] = `${last} ${room}${mark}`;
  }
  return lines;
}

/** The drawing: a line or two for each floor, from the highest. */
export const drawHouse = (): string => `${FLOORS.flatMap(linesOf).join('\n')}\n`;

/** The drawing as CONTRIBUTING.md has it, between its marks. */
const DRAWN = /(?<=<!-- house -->\n```\n)[^`]*(?=```)/;

/** What CONTRIBUTING.md shows. */
export const drawnHouse = (): string | undefined => DRAWN.exec(readFileSync(CONTRIBUTING, 'utf8'))?.[0];

if (process.argv[1] === import.meta.filename)
  writeFileSync(CONTRIBUTING, readFileSync(CONTRIBUTING, 'utf8').replace(DRAWN, drawHouse()));
