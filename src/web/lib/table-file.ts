/** Whether it is a spreadsheet by its name; also one that we cannot read. */
export function isTableFile({ name }: File): boolean {
  return /\.(?:csv|tsv|txt|xlsx?|xlsm|ods|numbers)$/i.test(name);
}
