/**
 * Runs the same work several times at once, and waits for all of it, even if one fails: who waits for us may end the
 * program next.
 * @throws what the first failure threw
 */
export async function runAtOnce(times: number, work: () => Promise<void>): Promise<void> {
  const ended = await Promise.allSettled(Array.from({ length: times }, work));
  const failed = ended.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}
