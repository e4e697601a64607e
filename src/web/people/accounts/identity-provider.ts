import { pageSetting } from '#contract/base/page-setting.ts';
/** The name of the provider that people sign in with, as the server says in the page's head; null where none is set up. */
export function identityProviderName(): string | null {
  return pageSetting('identity-provider') ?? null;
}
