import { t } from '@lingui/core/macro';
import { Select } from '@mantine/core';
import { useState } from 'react';
import { COUNTRY_COOKIE } from '#contract/base/visitor-country.ts';
import { COUNTRY_CHOICES } from '#web/lib/country-choices.ts';
import { useRefresh } from '#web/lib/query-client.ts';

const YEAR_S = 365 * 86_400;

/** What a visitor without an account has chosen; members have a country in their settings. */
function chosenCountry(): string | null {
  const cookie = document.cookie.split('; ').find((each) => each.startsWith(`${COUNTRY_COOKIE}=`));
  return cookie?.slice(COUNTRY_COOKIE.length + 1) || null;
}

/** Lets a visitor choose the country whose coupons come first in a search. */
export function VisitorCountry() {
  const [country, setCountry] = useState(chosenCountry);
  const refresh = useRefresh();
  const choose = (code: string | null) => {
    const age = code === null ? 0 : YEAR_S;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in older browsers
    document.cookie = `${COUNTRY_COOKIE}=${code ?? ''}; Path=/; Max-Age=${age}; SameSite=Lax`;
    setCountry(code);
    void refresh('coupons.list');
  };
  return (
    <Select
      label={t`Your country`}
      description={t`We show coupons that are valid there first`}
      placeholder={t`Set by your browser`}
      data={COUNTRY_CHOICES}
      value={country}
      onChange={choose}
      searchable
      clearable
      limit={50}
      nothingFoundMessage={t`No country with that name`}
    />
  );
}
