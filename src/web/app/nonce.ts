import { pageNonce } from '#web/lib/page-nonce.ts';

declare global {
  /** Where the scroll lock of dialogs looks for the nonce of its style element. */
  var __webpack_nonce__: string | undefined;
}

/** The nonce that the server allows styles under in this very answer (Content-Security-Policy). */
export const styleNonce = pageNonce();

globalThis.__webpack_nonce__ = styleNonce;
