/** Puts a text on the clipboard. @returns whether the browser let it */
export async function copyText(text: string): Promise<boolean> {
  try {
    // Missing outside https and localhost.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
