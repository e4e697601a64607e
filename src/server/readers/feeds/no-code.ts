/**
 * Words with which pages of shops and fields of feeds say that there is no code, or what to do instead, without accents.
 * Words of offers ("save", "free", "welcome", "summer") are none: codes are made of them.
 */
const WORDS = wordsOf(
  'none null undefined unknown void empty true false without dont see get buy',
  'code codes coupon coupons voucher vouchers promocode promocodes codepromo promotion discount discounts',
  'needed required require requires necessary applicable available automatically automatic auto autoapplied',
  'applied applies apply applying deal deals offer offers site website webpage page link links button banner',
  'shop click activate activated grab claim redeem redeemed reveal revealed unlock copy copied view show scan',
  'visit enter order learn read find discover open check print submit subscribe signup register download',
  'info details terms below above checkout cart basket store stores instore online email already',
  'kein keine keiner keinen keinem ohne nicht notig notwendig erforderlich benotigt gutschein gutscheine',
  'gutscheincode rabattcode rabattkode automatisch angebot angebote entfallt einlosen anzeigen zeigen eingeben nutzen',
  'aktivieren jetzt kaufen einkaufen warenkorb ansehen sichern klicken',
  'aucun aucune sans necessaire requis besoin automatique automatiquement offre offres voir afficher activer',
  'profiter profitez decouvrir cliquez panier boutique acheter utiliser copier obtenir',
  'ningun ninguno ninguna codigo codigos cupon cupones necesario requerido requiere necesita automatico oferta ofertas',
  'obtener comprar ahora activar mostrar copiar usar aqui tienda',
  'nessun nessuno nessuna senza codice codici necessario richiesto serve offerta offerte buono buoni mostra',
  'scopri attiva acquista copia',
  'geen zonder niet nodig vereist kortingscode kortingscodes actiecode aanbieding aanbiedingen bekijk toon',
  'koop winkel gebruik kopieer',
  'kody kodu brak wymagany wymagane wymagana wymaga jest potrzebny potrzebna potrzebne potrzeba rabatowy',
  'rabatowego automatycznie zaden zadnego niewymagany zobacz pokaz odkryj kupon oferte oferty sklep sklepu teraz',
  'nenhum nenhuma precisa requer cupao cupom veja pegar agora loja',
  'ingen inget ikke inte kode koden kravs behovs kraeves kreves nodvendig nodvandig utan uden uten rabatkode rabattkod',
  'visa hamta kopa handla hent',
);
/** Words between those: names are made of them, too (LEGO, ISLA, APPLE). */
const SMALL_WORDS = wordsOf(
  'na nil nan tbd tba tbc yes no not to at in on the this that your and for with from is be will by via go it here now more',
  'use tap add app bag zum zur den der die das und bei im hier pas de un une ici le la l en j sin se ver al ir aqui non vai',
  'ora sito usa pak naar nu bez kod nie kup sem nao vis til',
);

function wordsOf(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '));
}

const LONGEST = Math.max(...[...WORDS].map(({ length }) => length));

/** Letters and digits without case and accents. */
function folded(text: string): string {
  return text
    .toLowerCase()
    .replace(/[łæøßœı]/g, (letter) => FOLDS[letter] ?? letter)
    .normalize('NFD')
    .replace(/[^\p{L}\p{Nd}]/gu, '');
}
const FOLDS: Record<string, string> = { ł: 'l', æ: 'ae', ø: 'o', ß: 'ss', œ: 'oe', ı: 'i' };

/**
 * Whether a text says in its words alone that there is none, or only what to do: 'No code needed', 'GETDEAL'. The words may
 * stand without blanks. Sentences with other words are no plain codes anyway.
 */
export function isNoCode(text: string): boolean {
  const letters = folded(text);
  if (letters === '' || (letters.length > 1 && SMALL_WORDS.has(letters))) return true;
  // Whether the letters before a place are words, and one of them is more than a small one.
  const isSplit = [true];
  const isTelling = [false];
  for (let end = 1; end <= letters.length; end += 1) {
    for (let start = Math.max(0, end - LONGEST); start < end; start += 1) {
      const word = letters.slice(start, end);
      const isLong = WORDS.has(word);
      if (!isSplit[start] || !(isLong || SMALL_WORDS.has(word))) continue;
      isSplit[end] = true;
      if (isLong || isTelling[start]) isTelling[end] = true;
    }
  }
  return isTelling[letters.length] === true;
}
