import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { LANGUAGE_CODES } from '#contract/base/i18n.ts';
import { marketName } from '#contract/base/market.ts';
import { baseCurrency } from '#contract/base/money.ts';
import { defaultCountry } from '#contract/base/offered-countries.ts';
import {
  countrySchema,
  currencySchema,
  givenCountrySchema,
  idSchema,
  instantSchema,
  optionalTextSchema,
  textSchema,
} from '#contract/base/primitives.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { newPasskeySchema, passkeyAssertionSchema } from './passkeys.ts';
import { pictureChangeSchema, pictureUrlSchema } from './pictures.ts';
import { USER_ROLES } from './roles.ts';

const languageSchema = z
  .enum(LANGUAGE_CODES, {
    error: () => t`Choose one of the languages of ${{ market: marketName() }}`,
  })
  .meta({ id: 'Language' });
export const chooseLanguageInputSchema = z.object({ language: languageSchema });

export const userRoleSchema = z.enum(USER_ROLES).meta({ id: 'UserRole' });

const USER_STATUSES = ['active', 'warned', 'suspended', 'banned'] as const;
export const userStatusSchema = z.enum(USER_STATUSES).meta({ id: 'UserStatus' });
export type UserStatus = z.output<typeof userStatusSchema>;

export const USERNAME_MIN = 3;
export const USERNAME_MAX = 30;
export const EMAIL_MAX = 254;
export const BIO_MAX = 500;
export const PASSWORD_MIN = 8;
const PASSWORD_MAX = 128;
const FROM_MAX = 200;
/** The most of a password as it is typed: a sign in the usual form may come as four. */
const TYPED_PASSWORD_MAX = 4 * PASSWORD_MAX;

const usernameSchema = z
  .string()
  .trim()
  .min(USERNAME_MIN, { error: () => t`Username must have at least ${USERNAME_MIN} characters` })
  .max(USERNAME_MAX, { error: () => t`Username must have at most ${USERNAME_MAX} characters` })
  .regex(/^[A-Za-z0-9_.-]+$/, {
    error: () => t`Username may contain only letters, digits, dots, dashes and underscores`,
  });

/** New passwords are judged and hashed in one Unicode form, however they are typed. */
const passwordSchema = z
  .string()
  .normalize('NFKC')
  .min(PASSWORD_MIN, { error: () => t`Password must have at least ${PASSWORD_MIN} characters` })
  .max(PASSWORD_MAX, { error: () => t`Password must have at most ${PASSWORD_MAX} characters` })
  .refine((text) => !text.includes('\u0000'), {
    error: () => t`Password contains characters that you cannot use`,
  });

/** Letters of any language before the @, and names of domains as their owners write them: bücher.example. */
const EMAIL =
  /^(?!\.|.*\.\.)[\p{L}\p{M}\p{N}._'+-]{1,64}(?<!\.)@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+\p{L}[\p{L}\p{M}\p{N}-]{0,60}[\p{L}\p{M}\p{N}]$/u;
const emailSchema = z
  .email({ pattern: EMAIL, error: () => t`Enter a valid email address` })
  .normalize('NFC')
  .max(EMAIL_MAX, { error: () => t`Email address is too long` });
const personCountrySchema = givenCountrySchema(() => t`Choose a country from the list`);

/** Where somebody came from. Of it, `couponPathIn` goes into the mail that confirms their address. */
const fromSchema = z
  .string()
  .max(FROM_MAX)
  .nullish()
  .describe('The path of a coupon’s page, such as /coupons/5, to which the confirmation link leads');
export const sendVerificationInputSchema = z.object({ from: fromSchema }).optional();
export type SendVerificationInput = z.output<typeof sendVerificationInputSchema>;

/** What the server takes for a registration. */
export const registerInputSchema = z.object({
  email: emailSchema,
  username: usernameSchema,
  password: passwordSchema,
  bio: optionalTextSchema(BIO_MAX),
  profileImageUrl: pictureUrlSchema,
  preferredCurrency: currencySchema.default(baseCurrency),
  country: personCountrySchema.default(defaultCountry),
  acceptTerms: z.literal(true, { error: () => t`Please accept the terms to register` }),
  isAdult: z.literal(true, { error: () => t`You must be at least 18 to register` }),
  from: fromSchema,
});
export type RegisterInput = z.output<typeof registerInputSchema>;

/** A passkey instead of the password. */
export const registerWithPasskeyInputSchema = registerInputSchema
  .omit({ password: true })
  .extend({ passkey: newPasskeySchema });
export type RegisterWithPasskeyInput = z.output<typeof registerWithPasskeyInputSchema>;

export const startPasskeyRegistrationInputSchema = registerInputSchema.pick({ username: true });
export type StartPasskeyRegistrationInput = z.output<typeof startPasskeyRegistrationInputSchema>;

const agreeingSchema = registerInputSchema.omit({ acceptTerms: true, isAdult: true }).extend({
  agrees: z.literal(true, { error: () => t`You must be 18 or older and agree to both texts to register` }),
});

/** The registration form without a password: with a passkey, which the browser makes afterwards, or a provider of OpenID. */
export const registerWithPasskeyFormSchema = agreeingSchema
  .omit({ password: true })
  .transform(({ agrees, ...input }) => ({ ...input, acceptTerms: agrees, isAdult: agrees }));

/** The registration form: the password is repeated, and one answer covers the age and both texts. */
export const registerFormSchema = agreeingSchema
  .extend({ confirmPassword: z.string().normalize('NFKC') })
  .refine((form) => form.password === form.confirmPassword, {
    path: ['confirmPassword'],
    error: TEXTS.accounts.passwordsDiffer,
  })
  .transform(({ confirmPassword: _, agrees, ...input }) => ({
    ...input,
    acceptTerms: agrees,
    isAdult: agrees,
  }));

export const proposeUsernameInputSchema = z.object({
  /** The part of an address before the @. */
  name: textSchema(EMAIL_MAX),
});
export const proposedUsernameSchema = z.object({ username: usernameSchema });

/** What a registration begins with, by the country of the browser. */
export const registrationPlaceSchema = z.object({
  country: countrySchema,
  preferredCurrency: currencySchema,
});
export type RegistrationPlace = z.output<typeof registrationPlaceSchema>;

/** Six digits of an authenticator app, or a recovery code. */
const secondFactorCodeSchema = z
  .string()
  .trim()
  .regex(/^[0-9a-z -]{6,20}$/i, { error: () => t`Enter the six digits from your app, or a recovery code` });
export const secondFactorCodeInputSchema = z.object({ code: secondFactorCodeSchema });
export type SecondFactorCodeInput = z.output<typeof secondFactorCodeInputSchema>;

/** Takes any bounded text, so that a refused sign-in reveals nothing about the rules for names. */
export const loginInputSchema = z.object({
  username: textSchema(EMAIL_MAX, 1, () => t`Username is required`),
  password: z
    .string()
    .min(1, { error: () => t`Password is required` })
    .max(TYPED_PASSWORD_MAX, { error: () => t`Password is too long` }),
  /** Of the second factor, for accounts that have one. */
  code: secondFactorCodeSchema.optional(),
});
export type LoginInput = z.output<typeof loginInputSchema>;

/** A new password and its repetition (spec/3 section 5, decisions 5.1). */
const newPasswordFields = {
  newPassword: z
    .string()
    .normalize('NFKC')
    .min(PASSWORD_MIN, { error: TEXTS.settings.passwordTooShort })
    .max(PASSWORD_MAX, { error: () => t`Password must have at most ${PASSWORD_MAX} characters` })
    .refine((text) => !text.includes('\u0000'), {
      error: () => t`Password contains characters that you cannot use`,
    })
    .refine((text) => /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text), {
      error: TEXTS.settings.passwordTooWeak,
    }),
  confirmPassword: z.string().normalize('NFKC').max(PASSWORD_MAX),
};

function checkPasswordsMatch(
  form: { newPassword: string; confirmPassword: string },
  issues: z.core.$RefinementCtx,
) {
  if (form.newPassword !== form.confirmPassword) {
    issues.addIssue({ code: 'custom', path: ['confirmPassword'], message: TEXTS.settings.passwordsDiffer() });
  }
}

export const currentPasswordSchema = z
  .string({ error: TEXTS.settings.passwordRequired })
  .min(1, { error: TEXTS.settings.passwordRequired })
  .max(TYPED_PASSWORD_MAX, { error: () => t`Password is too long` });

export const changePasswordInputSchema = z
  .object({
    currentPassword: currentPasswordSchema.optional(),
    passkey: passkeyAssertionSchema.optional(),
    ...newPasswordFields,
  })
  .superRefine(checkProof('currentPassword', TEXTS.settings.passwordRequired))
  .superRefine(checkPasswordsMatch);
export type ChangePasswordInput = z.output<typeof changePasswordInputSchema>;

/** The token of a mailed link: 32 random bytes, base64url. */
const tokenSchema = z.string().regex(/^[\w-]{20,100}$/, { error: () => t`This link is incomplete` });
/** The token of the mailed link of a banned person: who, until when, and our seal. */
export const startDefenceInputSchema = z.object({
  token: z.string().regex(/^\d{1,10}\.\d{1,12}\.[\w-]{20,100}$/, { error: () => t`This link is incomplete` }),
});
/** Where the link is that confirms the caller's address. */
export const confirmationMailSchema = z.object({
  /** Whether the caller may deal: an address of theirs is confirmed. */
  isConfirmed: z.boolean(),
  /** The address that waits to be confirmed; null if none does. */
  address: z.string().nullable(),
  /** The page that shows the mail, where the sandbox keeps it instead of sending it; else null. */
  page: z.string().nullable(),
});
export type ConfirmationMail = z.output<typeof confirmationMailSchema>;

export const verifyEmailInputSchema = z.object({
  token: tokenSchema,
  /** The account's: keeps what was set up before, where nobody is signed in. */
  password: currentPasswordSchema.optional(),
});
export type VerifyEmailInput = z.output<typeof verifyEmailInputSchema>;
export const verifiedEmailSchema = z.object({
  email: z.string(),
  /** Whether everything that opened the account has ended; the link to a new password is mailed to the address. */
  needsPassword: z.boolean(),
});
verifiedEmailSchema.register(z.globalRegistry, { id: 'VerifiedEmail' });
export type VerifiedEmail = z.output<typeof verifiedEmailSchema>;
export const requestPasswordResetInputSchema = z.object({ email: emailSchema });
export const resetPasswordInputSchema = z
  .object({ token: tokenSchema, ...newPasswordFields })
  .superRefine(checkPasswordsMatch);
export type ResetPasswordInput = z.output<typeof resetPasswordInputSchema>;
export const deleteAccountInputSchema = z
  .object({
    confirmPassword: currentPasswordSchema.optional(),
    passkey: passkeyAssertionSchema.optional(),
  })
  .superRefine(checkProof('confirmPassword', TEXTS.settings.passwordRequired));
export type DeleteAccountInput = z.output<typeof deleteAccountInputSchema>;

/** Refuses an input that has neither the field nor a passkey. */
export function checkProof(field: string, message: () => string) {
  return (given: object, issues: z.core.$RefinementCtx) => {
    if (Reflect.get(given, field) === undefined && Reflect.get(given, 'passkey') === undefined)
      issues.addIssue({ code: 'custom', path: [field], message: message() });
  };
}

/** The second factor once more: a code, or a passkey. */
export const secondFactorInputSchema = z
  .object({ code: secondFactorCodeSchema.optional(), passkey: passkeyAssertionSchema.optional() })
  .superRefine(checkProof('code', () => t`Enter the code from your app`));
export type SecondFactorInput = z.output<typeof secondFactorInputSchema>;

const identityFields = {
  password: currentPasswordSchema.optional(),
  passkey: passkeyAssertionSchema.optional(),
};
const checkIdentity = checkProof('password', TEXTS.settings.passwordRequired);
/** The password or a passkey, given just before what changes how the account is opened. */
export const identityInputSchema = z.object(identityFields).superRefine(checkIdentity);
export type IdentityInput = z.output<typeof identityInputSchema>;
export const removePasskeyInputSchema = z
  .object({ id: idSchema, ...identityFields })
  .superRefine(checkIdentity);
export type RemovePasskeyInput = z.output<typeof removePasskeyInputSchema>;

/** The password and a code, or a passkey alone. */
export const disableSecondFactorInputSchema = z
  .object({ ...identityFields, code: secondFactorCodeSchema.optional() })
  .superRefine(checkIdentity)
  .superRefine(checkProof('code', () => t`Enter the code from your app`));
export type DisableSecondFactorInput = z.output<typeof disableSecondFactorInputSchema>;

/** The caller's second factor. */
export const secondFactorSchema = z.object({
  isOn: z.boolean(),
  enabledAt: instantSchema.nullable(),
  recoveryCodesLeft: z.int(),
  /** Null: none, or not known. */
  recoveryCodesMadeAt: instantSchema.nullable(),
});
secondFactorSchema.register(z.globalRegistry, { id: 'SecondFactor' });
export type SecondFactor = z.output<typeof secondFactorSchema>;

/** What an authenticator app is given: the key as text and as a QR code, a PNG in a data: address. */
export const secondFactorSetUpSchema = z
  .object({ secret: z.string(), qrCode: z.string() })
  .meta({ id: 'SecondFactorSetUp' });
export type SecondFactorSetUp = z.output<typeof secondFactorSetUpSchema>;

/** Shown once. */
export const recoveryCodesSchema = z
  .object({ recoveryCodes: z.array(z.string()) })
  .meta({ id: 'RecoveryCodes' });
export type RecoveryCodes = z.output<typeof recoveryCodesSchema>;

export const updateProfileInputSchema = z.object({
  email: emailSchema,
  /** The password or a passkey: needed for a new e-mail address only. */
  ...identityFields,
  bio: optionalTextSchema(BIO_MAX),
  profileImageUrl: pictureChangeSchema,
  preferredCurrency: currencySchema,
  country: personCountrySchema,
});
export type UpdateProfileInput = z.output<typeof updateProfileInputSchema>;

/** A browser that is signed in to the account. */
export const deviceSessionSchema = z.object({
  id: idSchema,
  /** Whether this call comes from it. */
  isCurrent: z.boolean(),
  /** Such as 'Firefox on Linux', derived from the user agent. */
  device: z.string(),
  createdAt: instantSchema,
  lastSeenAt: instantSchema,
});
deviceSessionSchema.register(z.globalRegistry, { id: 'DeviceSession' });
export type DeviceSession = z.output<typeof deviceSessionSchema>;

/** Days that sign-ins are kept. */
export const SIGN_INS_KEPT_DAYS = 90;

/** A sign-in to the account. */
export const signInSchema = z.object({
  id: idSchema,
  /** 'Firefox on Linux', as far as the browser says. */
  device: z.string(),
  /** Whether nobody had signed in to the account in this browser before. */
  isNewBrowser: z.boolean(),
  createdAt: instantSchema,
});
signInSchema.register(z.globalRegistry, { id: 'SignIn' });
export type SignIn = z.output<typeof signInSchema>;

/** The signed-in person as their own browser sees them. */
export const sessionUserSchema = z.object({
  id: idSchema,
  username: z.string(),
  email: z.string(),
  isEmailVerified: z.boolean(),
  /** A new address that is not confirmed yet; a mail with the link was sent to it. */
  pendingEmail: z.string().nullable(),
  role: userRoleSchema,
  status: userStatusSchema,
  /** What the moderator wrote with the last change of status. */
  statusReason: z.string().nullable(),
  /** When a suspension ends by itself; null: when somebody lifts it. */
  statusUntil: instantSchema.nullable(),
  preferredCurrency: currencySchema,
  country: countrySchema,
  language: languageSchema.describe('In which we write to this person'),
  bio: z.string().nullable(),
  profileImageUrl: z.string().nullable(),
  totalRating: z.int(),
  ratingCount: z.int(),
  verifiedCoupons: z.int(),
  successfulExchanges: z.int(),
  acceptedBids: z.int(),
  reportCount: z.int(),
  isFeatured: z.boolean(),
  lastLoginAt: instantSchema.nullable(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
sessionUserSchema.register(z.globalRegistry, { id: 'SessionUser' });

export type SessionUser = z.output<typeof sessionUserSchema>;

/** A person of the demo data, offered on the sign-in screen. */
export const demoPersonSchema = z.object({
  username: z.string(),
  bio: z.string().nullable(),
  profileImageUrl: z.string().nullable(),
});
export type DemoPerson = z.output<typeof demoPersonSchema>;

/** Public on purpose: the demo people own nothing real. */
export const DEMO_PASSWORD = 'clip-and-swap-demo';
