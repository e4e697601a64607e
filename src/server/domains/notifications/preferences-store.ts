import type { NotificationPreference, NotificationType } from '#contract/notifications.ts';
import type { Database, Trx } from '#server/database/client.ts';

export type PreferenceRow = NotificationPreference & { readonly userId: number };

/** What these people have said they want; who has not said is not among them. */
export function listPreferences(db: Database | Trx, userIds: readonly number[]): Promise<PreferenceRow[]> {
  return db
    .selectFrom('notificationPreferences')
    .select(['userId', 'type', 'inApp', 'mail'])
    .$narrowType<{ type: NotificationType }>()
    .where('userId', 'in', [...userIds])
    .execute();
}

export async function setPreference(
  db: Database,
  userId: number,
  wish: NotificationPreference,
): Promise<void> {
  await db
    .insertInto('notificationPreferences')
    .values({ userId, ...wish })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'type']).doUpdateSet({ inApp: wish.inApp, mail: wish.mail }),
    )
    .execute();
}

/** Ends one kind of mail, and changes nothing else; for a person who is gone nothing happens. */
export async function endMail(db: Database, userId: number, type: NotificationType): Promise<void> {
  await db
    .insertInto('notificationPreferences')
    .columns(['userId', 'type', 'inApp', 'mail'])
    .expression((from) =>
      from
        .selectFrom('users')
        .select((col) => [
          'id',
          col.val(type).as('type'),
          col.lit(true).as('inApp'),
          col.lit(false).as('mail'),
        ])
        .where('id', '=', userId)
        .where('deletedAt', 'is', null),
    )
    .onConflict((conflict) => conflict.columns(['userId', 'type']).doUpdateSet({ mail: false }))
    .execute();
}
