import { pageSetting } from '#contract/base/page-setting.ts';
/** Where people ask for help, as the server says in the page's head; null where the operator has set no address. */
export function supportEmail(): string | null {
  return pageSetting('support-email') ?? null;
}
