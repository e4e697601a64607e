/** Whether a password equals the owner's username or e-mail address, ignoring case. */
export function repeatsOwnName(password: string, owner: { username: string; email: string }): boolean {
  return [owner.username, owner.email].some((name) => name.toLowerCase() === password.toLowerCase());
}

/** The username and e-mail address that a deleted account gets. */
export function nameOfDeleted(id: number): { username: string; email: string } {
  return { username: `deleted-${id}`, email: `deleted-${id}@deleted.invalid` };
}

/** Whether two texts are the same e-mail address: ignoring case, as the database index does. */
export function isSameAddress(left: string | null, right: string | null): boolean {
  return left !== null && right !== null && left.toLowerCase() === right.toLowerCase();
}

/** The address that waits for confirmation; null if there is none. */
export function unconfirmedAddress(person: {
  email: string;
  emailVerifiedAt: Date | null;
  pendingEmail: string | null;
}): string | null {
  return person.pendingEmail ?? (person.emailVerifiedAt === null ? person.email : null);
}
