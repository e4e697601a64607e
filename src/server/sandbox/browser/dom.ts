/** Makes an element of attributes and children. */
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

/** Sets styles by script, which a strict content security policy allows. */
export function style<T extends HTMLElement>(node: T, rules: Partial<CSSStyleDeclaration>): T {
  Object.assign(node.style, rules);
  return node;
}

/** The script that runs right now; only while it is loaded. */
export function ownScript(): HTMLScriptElement {
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement)) throw new Error('This is not loaded by a script element');
  return script;
}

/** Asks the sandbox, at an address beside its script. @param body sent as JSON, by POST */
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
