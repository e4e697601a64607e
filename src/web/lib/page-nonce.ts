/** The page's CSP nonce for inline styles and scripts; '' where there is none. */
export function pageNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}
