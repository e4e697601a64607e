/** Whether the person has asked the browser to load little. Firefox and Safari do not tell. */
export function savesData(): boolean {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}
