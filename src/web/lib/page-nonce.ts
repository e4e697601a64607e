import { pageSetting } from '#contract/base/page-setting.ts';
/** The page's CSP nonce for inline styles and scripts; '' where there is none. */
export function pageNonce(): string {
  return pageSetting('csp-nonce') ?? '';
}
