/** A character that is written as itself, percent-encoded (RFC 3986, section 2.3). */
const NEEDLESS = /%(?:2[de]|3[0-9]|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i;
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;

/**
 * Whether the path of a request is written in the one way that everybody reads alike: the router, which decodes it, and
 * whoever looks at its text, as proxies, logs and search engines do.
 * @param url as it came: `/path?query`
 */
export function isPlainAddress(url: string): boolean {
  const [path = ''] = url.split('?', 1);
  return path.startsWith('/') && !/\/\/|[\\#]/.test(path) && !NEEDLESS.test(path) && !DOT_SEGMENT.test(path);
}
