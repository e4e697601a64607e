/** Whether a password only repeats what everybody knows of its owner. */
export function repeatsOwnName(password: string, owner: { username: string; email: string }): boolean {
  return [owner.username, owner.email].some((name) => name.toLowerCase() === password.toLowerCase());
}
