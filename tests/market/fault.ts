/** A fault in our own code: what one place says, and what it would say. */
export interface PlantedFault {
  readonly name: string;
  /** Below src/server. */
  readonly file: string;
  /** Stands there once. */
  readonly from: string;
  readonly to: string;
  /** The test that finds it, where neither the simulation nor the model is there for it. */
  readonly foundBy?: string;
}

/** @param faults what is wrong, the place, what is written there instead, and the test that finds it, if it is another */
export const faultsIn = (
  file: string,
  faults: Readonly<Record<string, readonly [from: string, to: string, foundBy?: string]>>,
) =>
  Object.entries(faults).map(
    ([name, [from, to, foundBy]]): PlantedFault => ({ name, file, from, to, ...(foundBy && { foundBy }) }),
  );

/** The source with the fault in it. @throws Error unless its place stands there once */
export function plant(source: string, { name, file, from, to }: PlantedFault): string {
  if (source.split(from).length !== 2) throw new Error(`"${name}" has no place in ${file} any more: ${from}`);
  return source.replace(from, () => to);
}
