/** What tools find and docs/security.md explains: the tool, its words, and why it stays. */
export const EXPLAINED: readonly { readonly tool: string; readonly what: RegExp; readonly why: string }[] =
  [];
