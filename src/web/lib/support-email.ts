/** Where people ask for help, as the server says in the page's head; null where the operator has set no address. */
export function supportEmail(): string | null {
  return document.querySelector<HTMLMetaElement>('meta[name="support-email"]')?.content ?? null;
}
