/** What a page says in its head under a name; undefined where it says nothing, and on a server. */
export function pageSetting(name: string): string | undefined {
  return globalThis.document?.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
}
