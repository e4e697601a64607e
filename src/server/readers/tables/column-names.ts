import { COMMON_FIELDS, type Field } from '../feeds/presets.ts';
import { nameKey } from '../feeds/record.ts';

/** The columns of a person's table. */
const COLUMNS = [
  'merchant',
  'title',
  'code',
  'pin',
  'end',
  'percentOff',
  'amountOff',
  'discount',
  'discountType',
  'currency',
  'category',
  'description',
  'terms',
  'askingPrice',
  'regions',
] as const;
export type Column = (typeof COLUMNS)[number];

/**
 * What people call their columns, beside the names in feeds: a line a language, of English, French, German, Spanish,
 * Italian, Dutch, Portuguese and Polish. A word that several languages share stands once.
 */
const NAMES: Record<Column, string> = {
  merchant: `
    where, company, retailer, restaurant
    commerçant, marchand, magasin, enseigne, boutique, marque
    händler, geschäft, laden, anbieter, marke
    tienda, comercio, comerciante, establecimiento, marca
    negozio, esercente, commerciante
    winkel, handelaar, merk
    loja, comerciante, estabelecimento
    sklep, sprzedawca, marka`,
  title: `
    offer, what, deal, coupon title, coupon name, item
    titre, nom, offre
    titel, angebot, bezeichnung
    título, oferta, nombre
    titolo, offerta, nome
    aanbieding, naam
    promoção
    tytuł, tytul, nazwa`,
  code: `
    voucher number, number, card number, gift card number, card no
    code promo, numéro, code de réduction, code cadeau, numéro de carte
    gutscheincode, rabattcode, aktionscode, gutscheinnummer, kartennummer, nummer
    código, código promocional, código de descuento, número de tarjeta
    codice, codice sconto, codice promozionale, numero carta, numero della carta
    kortingscode, actiecode, kaartnummer, vouchercode
    código de desconto, número do cartão
    kod, kod rabatowy, kod promocyjny, numer karty, numer`,
  pin: `
    pin, pin code, pin number, card pin, security code
    nip, code pin, code nip, code de sécurité
    geheimzahl, sicherheitscode
    código pin, código de seguridad
    codice pin, codice di sicurezza
    beveiligingscode
    código de segurança
    kod pin, numer pin`,
  end: `
    expiration, expire, expires on, valid till, good until, use by, use before, last day, exp, exp date,
    valid thru
    expire le, date d’expiration, échéance, valable jusqu’au, valide jusqu’au, dernier jour, date de fin, fin,
    date limite, date d’échéance
    gültig bis, ablaufdatum, ablauf, verfallsdatum, läuft ab, läuft ab am, verfällt am, einlösbar bis,
    letzter tag
    válido hasta, válida hasta, caduca, caducidad, fecha de caducidad, vence, vencimiento, fecha de vencimiento,
    último día, expira
    valido fino al, valido fino a, scadenza, data di scadenza, scade, scade il, ultimo giorno
    geldig tot, geldig t/m, geldig tot en met, vervaldatum, verloopt op, einddatum, laatste dag
    válido até, validade, data de validade, expira em
    ważny do, ważne do, ważna do, data ważności, termin ważności, wygasa, ostatni dzień`,
  percentOff: `
    percent, percentage, percent discount
    pourcentage
    prozent, rabatt in prozent
    porcentaje
    percentuale
    percentagem, porcentagem
    procent`,
  amountOff: `
    amount, face value, balance, dollars, dollar value
    montant, solde
    betrag, guthaben, restwert, saldo
    importe, monto
    importo
    bedrag, tegoed
    montante, quantia
    kwota`,
  discount: `
    value, worth, savings, off, discount value
    valeur, rabais, remise, réduction
    wert, rabatt, nachlass, ermäßigung
    valor, descuento, rebaja
    valore, sconto
    waarde, korting
    desconto
    wartość, rabat, zniżka`,
  discountType: `
    type of discount, value type
    type de rabais
    rabattart
    tipo de descuento
    tipo di sconto
    soort korting
    tipo de desconto
    rodzaj rabatu`,
  currency: `
    devise
    währung
    moneda, divisa
    valuta
    moeda
    waluta`,
  category: `
    category, kind
    catégorie
    kategorie
    categoría
    categorie
    kategoria`,
  description: `
    details
    détails
    beschreibung
    descripción
    descrizione
    omschrijving, beschrijving
    descrição
    opis`,
  terms: `
    notes on use, limits
    modalités
    bedingungen, einschränkungen
    condiciones, términos
    condizioni, termini
    voorwaarden
    condições, termos
    warunki`,
  askingPrice: `
    price, asking price, asking
    prix, prix demandé
    preis, wunschpreis
    precio
    prezzo
    prijs, vraagprijs
    preço
    cena`,
  regions: `
    valid in
    valable en, valable au, pays
    land, länder, gültig in
    país, países
    paese, paesi
    landen
    kraj, kraje`,
};

/** Letters without their accents: people leave them out. */
export function keyOf(name: string): string {
  return nameKey(name.normalize('NFD').replace(/\p{M}/gu, ''));
}

const BY_NAME = new Map<string, Column>();
for (const column of COLUMNS) {
  const common = column in COMMON_FIELDS ? COMMON_FIELDS[column as Field] : [];
  for (const name of [...common, ...NAMES[column].trim().split(/[,\n]+/)])
    if (!BY_NAME.has(keyOf(name))) BY_NAME.set(keyOf(name), column);
}

/** The column of this name, in any spelling. */
export const columnCalled = (name: string): Column | undefined => BY_NAME.get(keyOf(name));
