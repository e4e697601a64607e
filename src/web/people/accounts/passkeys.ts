import { t } from '@lingui/core/macro';
import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import type { z } from 'zod';
import type {
  newPasskeySchema,
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyRequest,
} from '#contract/people/passkeys.ts';
import { writeErrorText } from '#web/lib/errors.ts';

/** Whether this browser has passkeys for this site; there are none for bare IP addresses. */
export function canUsePasskeys(): boolean {
  return (
    typeof window.PublicKeyCredential === 'function' &&
    /[a-z]/i.test(window.location.hostname.replace(/\[.*\]/, ''))
  );
}

/** Whether the browser can offer passkeys while a name is typed. */
export async function canOfferPasskeys(): Promise<boolean> {
  return canUsePasskeys() && browserSupportsWebAuthnAutofill();
}

/** Lets the person answer with a passkey. @param isOffer whether the field for the name offers it */
export async function answerWithPasskey(request: PasskeyRequest, isOffer = false): Promise<PasskeyAssertion> {
  const { id, rawId, response } = await startAuthentication({
    optionsJSON: request,
    useBrowserAutofill: isOffer,
  });
  return { id, rawId, type: 'public-key', response: { ...response } };
}

export async function makePasskey(creation: PasskeyCreation): Promise<z.input<typeof newPasskeySchema>> {
  const { id, rawId, response } = await startRegistration({ optionsJSON: creation });
  const { clientDataJSON, attestationObject, transports } = response;
  return { id, rawId, type: 'public-key', response: { clientDataJSON, attestationObject, transports } };
}

/** Ends the browser's dialog or offer. */
export function cancelPasskey(): void {
  WebAuthnAbortService.cancelCeremony();
}

/** Why there is no passkey; null if another dialog of the browser, or the page, has ended this one. */
export function passkeyErrorText(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error.name === 'AbortError') return null;
  if (error.name === 'NotAllowedError')
    return t`The prompt of your browser was closed, or it waited too long.`;
  const code = 'code' in error ? String(error.code) : '';
  if (code.startsWith('ERROR_')) {
    return code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
      ? t`This device holds a passkey of your account already.`
      : t`Your browser could not use a passkey here.`;
  }
  return writeErrorText(error, t`Please try again.`);
}
