/** The pages whose text an operator may replace, by their addresses. */
export const LEGAL_PAGES = ['terms', 'privacy-policy', 'acceptable-use-policy'] as const;
export type LegalPage = (typeof LEGAL_PAGES)[number];

/** The name of the element in the head that lists the files of the operator's texts, such as terms.en, with a space between them. */
export const OWN_TEXTS_META = 'own-texts';

/** The name under which a page comes with the operator's text; the name of the file is its input. */
export const OWN_TEXT_QUERY = 'legal.ownText';
