export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Sets styles through the DOM, which a strict content security policy allows. */
export function style<T extends HTMLElement>(node: T, rules: Partial<CSSStyleDeclaration>): T {
  Object.assign(node.style, rules);
  return node;
}

/** The script element that is being run. Works only while the script loads. */
export function ownScript(): HTMLScriptElement {
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement)) throw new Error('This is not loaded by a script element');
  return script;
}

/** @param body sent as JSON by POST; without it the request is a GET */
export async function ask(
  base: string,
  path: string,
  body?: object,
): Promise<{ isOk: boolean; status: number; json: unknown }> {
  const response = await fetch(`${base}${path}`, {
    method: body ? 'POST' : 'GET',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { isOk: response.ok, status: response.status, json: await response.json().catch(() => null) };
}
