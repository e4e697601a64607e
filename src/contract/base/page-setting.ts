/** What the head of a page says, by name. */
export type PageSettings = Readonly<Record<string, string>>;

let rendered: PageSettings = {};

/** Names what the page says that is rendered next, where there is no document to read it from. */
export function setPageSettings(settings: PageSettings): void {
  rendered = settings;
}

/** What a page says in its head under a name; undefined where it says nothing, and on a server that renders no page. */
export function pageSetting(name: string): string | undefined {
  if (!globalThis.document) return rendered[name];
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
}
