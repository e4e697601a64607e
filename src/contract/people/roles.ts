/** Each role has the rights of those before it. */
export const USER_ROLES = ['user', 'moderator', 'admin'] as const;
export type UserRole = (typeof USER_ROLES)[number];

/** Whether a role has the rights of another one. */
export function hasRole(role: UserRole, needed: UserRole): boolean {
  return USER_ROLES.indexOf(role) >= USER_ROLES.indexOf(needed);
}

/** Whether somebody of this status may only read, and defend what is theirs (decisions 5.2). */
export function isRestricted(status: string): status is 'suspended' | 'banned' {
  return status === 'suspended' || status === 'banned';
}
