/** The nonce that the server allows inline styles and scripts under in this very page; '' where there is none. */
export function pageNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}
