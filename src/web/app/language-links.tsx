import { useLocation } from 'react-router-dom';
import { LANGUAGE_CODES, LANGUAGE_NAMES, language, pathIn } from '#contract/base/i18n.ts';
import { useLanguageChoice } from '#web/people/accounts/viewer-queries.ts';

const OTHERS = LANGUAGE_CODES.filter((one) => one !== language());

/** Links to this page in the other languages. */
export function LanguageLinks({ className }: { className?: string | undefined }) {
  const { pathname, search, hash } = useLocation();
  const choose = useLanguageChoice();
  return OTHERS.map((one) => {
    const address = pathIn(one, pathname + search + hash);
    return (
      <a
        key={one}
        href={address}
        lang={one}
        hrefLang={one}
        className={className}
        onClick={async (event) => {
          // In another tab: the browser opens it.
          const isElsewhere = event.metaKey || event.ctrlKey || event.shiftKey;
          if (!isElsewhere) event.preventDefault();
          await choose(one);
          if (!isElsewhere) window.location.assign(address);
        }}
      >
        {LANGUAGE_NAMES[one]}
      </a>
    );
  });
}
