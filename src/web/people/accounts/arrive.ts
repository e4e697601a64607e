import { couponPathIn } from '#contract/base/first-answers.ts';
import { pathIn } from '#contract/base/i18n.ts';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { SessionUser } from '#contract/people/accounts.ts';
import { keepLanguage } from '#web/lib/page-language.ts';
import { returnPath } from '#web/lib/return-path.ts';
import { keepToast } from '#web/lib/toasts.ts';
import { carryDraft } from '#web/lib/validation-draft.ts';
import { forgetOthers, noteSignIn } from '#web/lib/viewer-storage.ts';

/** Where the person was before the sign-in, as the address says it. */
const cameFrom = () => new URLSearchParams(window.location.search).get('from');

/** The coupon's page on which the person was before the sign-in, for the mail that confirms their address; else null. */
export const couponBefore = () => couponPathIn(cameFrom() ?? '');

/**
 * After sign-in and registration the page is loaded anew, where the person wanted to go, and welcomes them (spec/1
 * section 2). Nothing that was loaded for somebody else is left.
 */
function arrive({ id, language }: Pick<SessionUser, 'id' | 'language'>, title: string, text: string): void {
  forgetOthers(id);
  noteSignIn();
  const path = returnPath(cameFrom());
  if (path === paths.validateCoupon) carryDraft();
  keepToast(title, text);
  keepLanguage(language);
  window.location.replace(pathIn(language, path));
}

/** After a sign-in. */
export function welcomeBack(user: SessionUser): void {
  arrive(user, TEXTS.accounts.loginSuccessful(), TEXTS.accounts.welcomeBack(user.username));
}

/** After a registration. The page says above everything else that an address is to be confirmed. */
export function welcomeNewcomer(user: SessionUser): void {
  arrive(user, TEXTS.accounts.registrationSuccessful(), TEXTS.accounts.welcome(user.username));
}
