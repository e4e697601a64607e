import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** What a tool has said, also where it was ended because its time was over. */
export interface Ran {
  readonly said: string;
  readonly isWhole: boolean;
}

/** Runs a tool for so many seconds at most. */
export function run(command: string, args: readonly string[], seconds: number): Promise<Ran> {
  const options = { timeout: seconds * 1_000, killSignal: 'SIGKILL', maxBuffer: 100_000_000 } as const;
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) =>
      resolve({ said: stdout + stderr, isWhole: !error?.killed }),
    );
  });
}

/** Whether a command is on this machine. */
export async function isInstalled(command: string): Promise<boolean> {
  const { said } = await run('sh', ['-c', 'command -v "$0"', command], 10);
  return said.trim() !== '';
}

/** A report as JSON; null where the tool has written none. */
export async function reportOf(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return null;
  }
}
