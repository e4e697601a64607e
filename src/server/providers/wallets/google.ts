import { t } from '@lingui/core/macro';
import { locale } from '#contract/base/i18n.ts';
import { marketName } from '#contract/base/market.ts';
import { stubColor } from '#contract/coupons/stub-colors.ts';
import type { GoogleWalletSettings } from '#server/core/provider-settings.ts';
import { fetchAccessToken, loadServiceAccount, type ServiceAccount } from '../google-account.ts';
import { askService, ServiceRefusal } from '../service-calls.ts';
import { type GoogleWallet, type Pass, type PassContent, voidText } from './wallets.ts';

const SCOPE = 'https://www.googleapis.com/auth/wallet_object.issuer';
const SAVE = 'https://pay.google.com/gp/v/save';

/** The symbologies that the wallet draws, by our names, and the texts that each has the characters for. */
const TYPES: Readonly<Record<string, readonly [type: string, texts: RegExp]>> = {
  QRCode: ['QR_CODE', /^/],
  PDF417: ['PDF_417', /^/],
  Aztec: ['AZTEC', /^/],
  DataMatrix: ['DATA_MATRIX', /^/],
  Code128: ['CODE_128', /^[\x20-\x7e]+$/],
  Code39: ['CODE_39', /^[0-9A-Z .$/+%-]+$/],
  EAN13: ['EAN_13', /^\d{13}$/],
  EAN8: ['EAN_8', /^\d{8}$/],
  UPCA: ['UPC_A', /^\d{12}$/],
  ITF: ['ITF_14', /^\d{14}$/],
};

interface Google {
  readonly account: ServiceAccount;
  readonly issuerId: string;
  readonly publicUrl: string;
  readonly endpoints: { readonly googleToken: string; readonly google: string };
  readonly timeoutMs: number;
}

/** @throws Error when the key file is unusable */
export function openGoogleWallet(
  { issuerId, serviceAccountFile }: GoogleWalletSettings,
  given: Pick<Google, 'publicUrl' | 'endpoints' | 'timeoutMs'>,
): GoogleWallet {
  const account = loadServiceAccount(serviceAccountFile, 'GOOGLE_WALLET_SERVICE_ACCOUNT_FILE');
  const google: Google = { ...given, account, issuerId };
  return {
    save: (pass) => save(google, pass),
    replace: async (pass) => {
      const status = await call(
        google,
        'PUT',
        `genericObject/${objectId(google, pass)}`,
        toObject(google, pass),
      );
      if (status !== 200 && status !== 404) throw refusal(status);
      return status === 200;
    },
  };
}

const classId = ({ issuerId }: Google) => `${issuerId}.clipswap_coupon`;
const objectId = ({ issuerId }: Google, { serial }: Pass) => `${issuerId}.${serial}`;
const refusal = (status: number) => new ServiceRefusal(`Google Wallet answered with status ${status}.`);

/** The link has ids only: the code goes to Google by the API, and into no address. */
async function save(google: Google, pass: Pass): Promise<string> {
  await insert(google, 'genericClass', {
    id: classId(google),
    // Whoever else gets the link cannot add it.
    multipleDevicesAndHoldersAllowedStatus: 'ONE_USER_ALL_DEVICES',
  });
  const object = toObject(google, pass);
  if (!(await insert(google, 'genericObject', object))) {
    const status = await call(google, 'PUT', `genericObject/${object.id}`, object);
    if (status !== 200) throw refusal(status);
  }
  const { SignJWT } = await import('jose');
  const { account, publicUrl } = google;
  const token = await new SignJWT({
    typ: 'savetowallet',
    origins: [publicUrl],
    payload: { genericObjects: [{ id: object.id, classId: object.classId }] },
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: account.keyId })
    .setIssuer(account.email)
    .setAudience('google')
    .setIssuedAt()
    .sign(account.key);
  return `${SAVE}/${token}`;
}

/** @returns false if Google has it already */
async function insert(google: Google, resource: string, body: object): Promise<boolean> {
  const status = await call(google, 'POST', resource, body);
  if (status !== 200 && status !== 409) throw refusal(status);
  return status === 200;
}

/** Nothing of an answer is passed on but its status: it may repeat the code. */
async function call(google: Google, method: 'POST' | 'PUT', path: string, body: object): Promise<number> {
  const { account, endpoints, timeoutMs } = google;
  const signal = AbortSignal.timeout(timeoutMs);
  const token = await fetchAccessToken(endpoints.googleToken, account, SCOPE, signal);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const url = `${endpoints.google}/walletobjects/v1/${path}`;
  const { status } = await askService(url, { method, headers, body: JSON.stringify(body) }, signal);
  return status;
}

const words = (value: string) => ({ defaultValue: { language: locale(), value } });

function toObject(google: Google, pass: Pass) {
  const { content } = pass;
  const common = {
    id: objectId(google, pass),
    classId: classId(google),
    genericType: 'GENERIC_VOUCHER',
    logo: { sourceUri: { uri: `${google.publicUrl}/icon-192.png` }, contentDescription: words(marketName()) },
  };
  if (content === null)
    return {
      ...common,
      state: 'INACTIVE',
      cardTitle: words(marketName()),
      header: words(t`No longer valid`),
      textModulesData: [{ id: 'why', header: t`No longer valid`, body: voidText() }],
    };
  const { title, merchant, discount, lastDay, expiresAt, terms, url, pin } = content;
  const texts = [
    { id: 'discount', header: t`Discount`, body: discount },
    { id: 'pin', header: t`PIN`, body: pin },
    { id: 'until', header: t`Valid until`, body: lastDay },
    { id: 'terms', header: t`Terms`, body: terms },
  ];
  return {
    ...common,
    state: 'ACTIVE',
    cardTitle: words(merchant),
    header: words(title),
    hexBackgroundColor: stubColor(merchant),
    barcode: barcodeOf(content),
    textModulesData: texts.filter(({ body }) => body !== null),
    linksModuleData: { uris: [{ id: 'page', uri: url, description: t`On ${{ market: marketName() }}` }] },
    ...(expiresAt && { validTimeInterval: { end: { date: expiresAt.toISOString() } } }),
  };
}

/** The symbol with its bytes, or else the code as text. */
function barcodeOf({ symbol, code }: PassContent) {
  const [type, texts] = (symbol?.isText && TYPES[symbol.format]) || [];
  if (!symbol || !type || !texts?.test(symbol.text)) return { type: 'TEXT_ONLY', value: code };
  return { type, value: symbol.text, renderEncoding: 'UTF_8', alternateText: code };
}
