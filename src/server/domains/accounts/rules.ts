/** Whether a password only repeats what everybody knows of its owner. */
export function repeatsOwnName(password: string, owner: { username: string; email: string }): boolean {
  return [owner.username, owner.email].some((name) => name.toLowerCase() === password.toLowerCase());
}

/** What a person is called whose account is gone. */
export function nameOfDeleted(id: number): { username: string; email: string } {
  return { username: `deleted-${id}`, email: `deleted-${id}@deleted.invalid` };
}

/** Whether a name is kept for deleted accounts. */
export function isKeptName(username: string): boolean {
  return username.toLowerCase().startsWith('deleted-');
}

/** Whether two texts are one e-mail address to us, as they are to the index on it. */
export function isSameAddress(left: string | null, right: string | null): boolean {
  return left !== null && right !== null && left.toLowerCase() === right.toLowerCase();
}

/** The address that waits to be confirmed; null where there is none. */
export function unconfirmedAddress(person: {
  email: string;
  emailVerifiedAt: Date | null;
  pendingEmail: string | null;
}): string | null {
  return person.pendingEmail ?? (person.emailVerifiedAt === null ? person.email : null);
}
