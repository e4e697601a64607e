/**
 * What a page of ours may load: itself, and nothing inline but what carries the nonce of this very answer.
 * @param nonce random, made for one answer
 */
export function contentSecurityPolicy(nonce?: string): string {
  const own = nonce ? `'self' 'nonce-${nonce}'` : "'self'";
  return [
    "default-src 'self'",
    `script-src ${own}`,
    `style-src ${own}`,
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
