/** What tools find and docs/security.md explains: the tool, its words, and why it stays. */
export const EXPLAINED: readonly { readonly tool: string; readonly what: RegExp; readonly why: string }[] = [
  {
    tool: 'wapiti',
    what: /Strict-Transport-Security/,
    why: 'It is sent where the public address has https.',
  },
  {
    tool: 'wapiti',
    what: /X-XSS-Protection/,
    why: 'Browsers know it no more; the policy for scripts (CSP) does more.',
  },
];
