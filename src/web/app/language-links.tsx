import { useLocation } from 'react-router-dom';
import { LANGUAGE_CODES, LANGUAGE_NAMES, language, prefixOf } from '#contract/i18n.ts';
import { useLanguageChoice } from '#web/features/accounts/viewer-queries.ts';
import { keepLanguage } from '#web/lib/page-language.ts';
import { useViewer } from '#web/lib/viewer.tsx';

const OTHERS = LANGUAGE_CODES.filter((one) => one !== language());

/** Links to this page in the other languages. The choice is remembered, for members with their account. */
export function LanguageLinks({ className }: { className?: string | undefined }) {
  const { pathname, search, hash } = useLocation();
  const { user } = useViewer();
  const choice = useLanguageChoice();
  return OTHERS.map((one) => {
    const address = prefixOf(one) + pathname + search + hash;
    return (
      <a
        key={one}
        href={address}
        lang={one}
        hrefLang={one}
        className={className}
        onClick={(event) => {
          keepLanguage(one);
          if (!user || event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          choice.mutate({ language: one }, { onSettled: () => window.location.assign(address) });
        }}
      >
        {LANGUAGE_NAMES[one]}
      </a>
    );
  });
}
