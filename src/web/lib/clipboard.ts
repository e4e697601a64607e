/** Copies a text to the clipboard. @returns whether it worked */
export async function copyText(text: string): Promise<boolean> {
  try {
    // Missing outside https and localhost.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
