/** Whom the provider has named. */
export interface OpenIdPerson {
  readonly issuer: string;
  /** Names the person at the issuer, for good: addresses and names may pass to somebody else. */
  readonly subject: string;
  readonly email: string | null;
  /** Whether the provider has checked that the address is the person's. */
  readonly isEmailVerified: boolean;
}

/** What has to come back with an answer. Secret until then. */
interface OpenIdRequest {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE: proves at the provider that we have asked. */
  readonly verifier: string;
}

/** A provider of OpenID Connect, by which people sign in. */
export interface OpenId {
  /** What people know it as. */
  readonly name: string;
  readonly issuer: string;
  /** Whether it answered when it was last asked; true before that. Asks again in the background if it did not. */
  isAvailable(): Promise<boolean>;
  /** The address of the provider's page for a new sign-in. @throws OpenIdUnavailable */
  begin(): Promise<OpenIdRequest & { readonly url: string }>;
  /**
   * Takes the provider's answer: exchanges the code, and checks the signature, issuer, audience, times and nonce.
   * @param query of the address that the provider has sent the browser to
   * @throws OpenIdRefusal, OpenIdUnavailable
   */
  finish(query: string, request: OpenIdRequest): Promise<OpenIdPerson>;
}

/** The provider did not answer, or not in a usable way. */
export class OpenIdUnavailable extends Error {
  override readonly name = 'OpenIdUnavailable';
}

/** Its answer proves nothing. `isCancelled`: the person has turned back there. */
export class OpenIdRefusal extends Error {
  override readonly name = 'OpenIdRefusal';
  readonly isCancelled: boolean;

  constructor(
    message: string,
    { cause, isCancelled = false }: { cause?: unknown; isCancelled?: boolean } = {},
  ) {
    super(message, { cause });
    this.isCancelled = isCancelled;
  }
}
