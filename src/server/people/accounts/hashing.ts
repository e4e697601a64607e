import { t } from '@lingui/core/macro';
import { TEXTS } from '#contract/base/texts.ts';
import { fieldError } from '#server/core/errors.ts';
import { repeatsOwnName } from './rules.ts';

/** Argon2id (the package's default kind) at OWASP's cost: 19 MiB, two passes, about 14 ms. */
const HASH_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Verified instead of a stored hash when no account has the name: the same cost, and no password matches it. */
const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$6LE4aO92ot8R2eXUiNysEA$stPn2vNpg1lBSdq5o5u9fddx7lqTkaDdp4cXxbpT67Q';

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/** 49,000 passwords in lower case (half a megabyte), loaded when somebody first chooses a password. */
function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );
  return commonPasswords;
}

/** Native code of some megabytes, loaded when somebody first gives a password. */
const loadArgon2 = () => import('@node-rs/argon2');

/** The form of a password that is hashed and compared: keyboards and systems write the same signs differently. */
export function usualForm(password: string): string {
  return password.normalize('NFKC');
}

/** Hashes the usual form of a password. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await loadArgon2();
  return hash(usualForm(password), HASH_COST);
}

/**
 * Compares the usual form of a password with the stored hash; if it came in another form, also as it came, because
 * hashes were once made of that.
 * @returns the form that matches; null if none does, or without a hash, after the same work
 */
export async function matchingForm(stored: string | undefined, password: string): Promise<string | null> {
  const { verify } = await loadArgon2();
  for (const form of new Set([usualForm(password), password]))
    if ((await verify(stored || DUMMY_HASH, form)) && stored) return form;
  return null;
}

/** Whether `password` matches the stored hash. Without a hash the answer is false, after the same work. */
export async function isPassword(stored: string | undefined, password: string): Promise<boolean> {
  return (await matchingForm(stored, password)) !== null;
}

/**
 * The hash to keep of somebody who has just given a right password: a new one if the stored one is not of the usual
 * form, so that they can sign in from keyboards and systems that write the password differently.
 * @param form what `matchingForm` has found
 */
export async function renewedHash(stored: string, form: string): Promise<string> {
  return form === usualForm(form) ? stored : hashPassword(form);
}

/**
 * Refuses common passwords and the owner's own username or e-mail address (decisions 5.1).
 * @param field the input's name for the password
 * @throws AppError bad_input that names the field
 */
export async function refuseGuessable(
  given: string,
  owner: { username: string; email: string },
  field: string,
): Promise<void> {
  const password = usualForm(given);
  if (repeatsOwnName(password, owner)) {
    throw fieldError('bad_input', field, t`Your password must differ from your username and email address.`);
  }
  if ((await loadCommonPasswords()).has(password.toLowerCase())) {
    throw fieldError('bad_input', field, TEXTS.accounts.commonPassword());
  }
}
