import { t } from '@lingui/core/macro';
import { pageSetting } from './page-setting.ts';

/** Who runs a market, for receipts and legal pages. */
export interface Company {
  readonly name: string;
  readonly address: readonly string[];
  readonly taxNumber?: string | undefined;
  readonly email?: string | undefined;
}

/** In a browser, the page says it in the head. */
let company: Company | null = JSON.parse(pageSetting('company') ?? 'null');

/** Who runs this market; null: its operator has not said it. */
export const marketCompany = (): Company | null => company;

/** Says who runs the market of this process. A server does it once, at start. */
export function setCompany(given: Company | null): void {
  company = given;
}

/** What a receipt says of the company. */
export function companyFacts(): { name: string; value: string }[] {
  if (company === null) return [];
  const { name, address, taxNumber, email } = company;
  return [
    { name: t`Issued by`, value: [name, ...address].join(', ') },
    ...(taxNumber === undefined ? [] : [{ name: t`Tax number`, value: taxNumber }]),
    ...(email === undefined ? [] : [{ name: t`Questions`, value: email }]),
  ];
}
