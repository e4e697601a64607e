/** What tools find and docs/security.md explains: the tool, its words, and why it stays. */
export const EXPLAINED: readonly { readonly tool: string; readonly what: RegExp; readonly why: string }[] = [
  { tool: 'testssl', what: /^engine_problem/, why: 'It is about the machine of the tool.' },
  { tool: 'testssl', what: /^HSTS/, why: 'It is sent where the public address has https.' },
  {
    tool: 'testssl',
    what: /^(secure_client_renego|LUCKY13)/,
    why: 'The front is that of the tests. In production, the proxy ends TLS.',
  },
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
  {
    tool: 'arjun',
    what: /^It has written no report/,
    why: 'The limits of an address stop it before it ends.',
  },
  { tool: 'testssl', what: /^BREACH/, why: 'No answer has a secret beside what its request said.' },
];
