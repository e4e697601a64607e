import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { t } from '@lingui/core/macro';
import { marketName } from '#contract/base/market.ts';
import { stubColor } from '#contract/coupons/stub-colors.ts';
import type { AppleWalletSettings } from '#server/core/provider-settings.ts';
import { pushToApple } from './apple-push.ts';
import { type AppleWallet, type Pass, type PassContent, voidText } from './wallets.ts';

/** The symbologies that every version of the wallet draws, by our names. */
const FORMATS = {
  QRCode: 'PKBarcodeFormatQR',
  PDF417: 'PKBarcodeFormatPDF417',
  Aztec: 'PKBarcodeFormatAztec',
  Code128: 'PKBarcodeFormatCode128',
} as const;

interface Certificates {
  readonly passType: string;
  readonly team: string;
  readonly certificate: string;
  /** PKCS#1, not encrypted. */
  readonly key: string;
  readonly authority: string;
}

/** @throws Error when a file is unusable, naming its setting */
export function openAppleWallet(
  settings: AppleWalletSettings,
  given: {
    readonly publicUrl: string;
    readonly endpoints: { readonly applePush: string; readonly applePushAuthority?: string };
    readonly timeoutMs: number;
  },
): AppleWallet {
  const certificates = loadCertificates(settings);
  const { passType, certificate, key } = certificates;
  const { publicUrl, endpoints, timeoutMs } = given;
  return {
    passType,
    draws: (symbol) => barcodeOf(symbol) !== null,
    makePass: (pass, { token, pictures }) =>
      makePass(pass, {
        certificates,
        pictures,
        token,
        webServiceURL: `${publicUrl}/api/apple-wallet`,
      }),
    push: (tokens) =>
      pushToApple(tokens, {
        url: endpoints.applePush,
        authority: endpoints.applePushAuthority,
        ...{ certificate, key, topic: passType, timeoutMs },
      }),
  };
}

/** The certificate names the pass type and the team. */
function loadCertificates(settings: AppleWalletSettings): Certificates {
  const unusable = (setting: string, reason: string) => new Error(`${setting} is not usable: ${reason}.`);
  const read = <Part>(setting: string, file: string, parse: (pem: string) => Part): Part => {
    try {
      return parse(readFileSync(file, 'utf8'));
    } catch {
      throw unusable(setting, `${file} cannot be read as PEM`);
    }
  };
  const toCertificate = (pem: string) => new X509Certificate(pem);
  const own = read('APPLE_WALLET_CERTIFICATE_FILE', settings.certificateFile, toCertificate);
  const authority = read('APPLE_WALLET_AUTHORITY_FILE', settings.authorityFile, toCertificate);
  const key = read<KeyObject>('APPLE_WALLET_KEY_FILE', settings.keyFile, createPrivateKey);
  const subject = new Map(own.subject.split('\n').map((line) => line.split('=') as [string, string]));
  const [passType, team] = [subject.get('UID'), subject.get('OU')];
  if (!passType?.startsWith('pass.') || !team)
    throw unusable('APPLE_WALLET_CERTIFICATE_FILE', 'it is not the certificate of a pass type');
  if (!own.checkPrivateKey(key))
    throw unusable('APPLE_WALLET_KEY_FILE', 'the key does not belong to the certificate');
  if (!own.checkIssued(authority) || !own.verify(authority.publicKey))
    throw unusable('APPLE_WALLET_AUTHORITY_FILE', 'this authority has not issued the certificate');
  return {
    ...{ passType, team },
    certificate: own.toString(),
    key: String(key.export({ type: 'pkcs1', format: 'pem' })),
    authority: authority.toString(),
  };
}

/**
 * The symbol as pass.json describes it; null if the wallet cannot draw it with its bytes. The message becomes bytes by the
 * encoding: every text of ours is UTF-8.
 */
function barcodeOf(symbol: PassContent['symbol']) {
  if (!symbol?.isText || !Object.hasOwn(FORMATS, symbol.format)) return null;
  const { text: message } = symbol;
  const isPlain = /^[\x20-\x7e]*$/.test(message);
  if (symbol.format === 'Code128' && !isPlain) return null;
  return {
    format: FORMATS[symbol.format as keyof typeof FORMATS],
    message,
    messageEncoding: isPlain ? 'iso-8859-1' : 'utf-8',
  };
}

type MakePass = Parameters<AppleWallet['makePass']>[1] & {
  readonly certificates: Certificates;
  readonly webServiceURL: string;
};

async function makePass({ serial, content }: Pass, given: MakePass): Promise<Buffer> {
  const { certificates, pictures, token, webServiceURL } = given;
  const { PKPass } = await import('passkit-generator');
  const barcode = content && barcodeOf(content.symbol);
  const strip = content && !barcode ? pictures.strip : null;
  const files = Object.fromEntries([
    ...pictures.icons.map((icon, index) => [nameOf('icon', index), Buffer.from(icon)]),
    ...pictures.logos.map((logo, index) => [nameOf('logo', index), Buffer.from(logo)]),
    ...(strip ? [['strip@3x.png', Buffer.from(strip)]] : []),
  ]);
  const pass = new PKPass(
    files,
    {
      wwdr: certificates.authority,
      signerCert: certificates.certificate,
      signerKey: certificates.key,
    },
    {
      formatVersion: 1,
      serialNumber: serial,
      passTypeIdentifier: certificates.passType,
      teamIdentifier: certificates.team,
      organizationName: marketName(),
      description: content ? `${content.title}, ${content.merchant}` : t`A coupon that is no longer yours`,
      logoText: content?.merchant ?? marketName(),
      foregroundColor: 'rgb(255, 255, 255)',
      labelColor: 'rgb(255, 255, 255)',
      backgroundColor: rgb(content ? stubColor(content.merchant) : VOID_COLOR),
      authenticationToken: token,
      webServiceURL,
      sharingProhibited: true,
      ...(content === null && { voided: true }),
    },
  );
  pass.type = 'coupon';
  if (content === null) {
    pass.secondaryFields.push({ key: 'void', value: voidText() });
    pass.backFields.push({ key: 'why', label: t`No longer valid`, value: voidText() });
    return pass.getAsBuffer();
  }
  const { title, discount, lastDay, expiresAt, terms, url, code, pin } = content;
  if (lastDay) pass.headerFields.push({ key: 'until', label: t`Valid until`, value: lastDay });
  // They would stand upon the strip.
  if (!strip) pass.primaryFields.push({ key: 'discount', label: t`Coupon`, value: discount ?? title });
  pass.secondaryFields.push({ key: 'title', label: t`Title`, value: title });
  if (strip && discount) pass.secondaryFields.push({ key: 'discount', label: t`Discount`, value: discount });
  if (!barcode || barcode.message !== code)
    pass.auxiliaryFields.push({ key: 'code', label: t`Code`, value: code });
  if (pin) pass.auxiliaryFields.push({ key: 'pin', label: t`PIN`, value: pin });
  if (terms) pass.backFields.push({ key: 'terms', label: t`Terms`, value: terms });
  pass.backFields.push({ key: 'page', label: t`On ${{ market: marketName() }}`, value: url });
  // Apple's form of dates has no parts of seconds.
  if (expiresAt) pass.setExpirationDate(new Date(Math.floor(expiresAt.getTime() / 1_000) * 1_000));
  if (barcode) pass.setBarcodes({ ...barcode, altText: code });
  return pass.getAsBuffer();
}

const VOID_COLOR = '#57483b';

const nameOf = (picture: string, index: number) => `${picture}${index === 0 ? '' : `@${index + 1}x`}.png`;

/** '#ff8000' -> 'rgb(255, 128, 0)', the only form that passes know. */
function rgb(hex: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return `rgb(${red}, ${green}, ${blue})`;
}
