import { hash, verify } from '@node-rs/argon2';
import { TEXTS } from '#contract/texts.ts';
import { fieldError } from '#server/core/errors.ts';
import { repeatsOwnName } from './rules.ts';

/** Argon2id (the package's default kind) at OWASP's cost: 19 MiB, two passes, about 14 ms. */
const HASH_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** What a password is held against when nobody has the name: same cost, same answer, nobody's password. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$6LE4aO92ot8R2eXUiNysEA$stPn2vNpg1lBSdq5o5u9fddx7lqTkaDdp4cXxbpT67Q';

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/** 49,000 passwords in lower case; half a megabyte that is read when the first password is chosen. */
function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );
  return commonPasswords;
}

/** A password as it is stored. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, HASH_COST);
}

/** Whether this is the password. Without a hash it is not, and finding that out costs the same. */
export async function isPassword(stored: string | undefined, password: string): Promise<boolean> {
  const isRight = await verify(stored || NOBODYS_HASH, password);
  return Boolean(stored) && isRight;
}

/**
 * Refuses a password that is guessed first (decisions 5.1).
 * @param field the input's name for the password
 * @throws AppError bad_input that names the field
 */
export async function refuseGuessable(
  password: string,
  owner: { username: string; email: string },
  field: string,
): Promise<void> {
  if (repeatsOwnName(password, owner)) {
    throw fieldError('bad_input', field, 'Your password must differ from your username and e-mail address.');
  }
  if ((await loadCommonPasswords()).has(password.toLowerCase())) {
    throw fieldError('bad_input', field, TEXTS.accounts.commonPassword);
  }
}
