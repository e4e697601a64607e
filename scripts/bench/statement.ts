/** A statement as the product sends it. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}
