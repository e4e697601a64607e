import { pageSetting } from '#contract/base/page-setting.ts';

/** Whether people can forward vouchers by email, as the server says in the page's head. */
export function takesMail(): boolean {
  return pageSetting('inbound-mail') !== undefined;
}
