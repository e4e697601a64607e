import type { Actor } from '#server/context/context.ts';
import type { TestContext } from './builders.ts';

/** Inserts what somebody says of the present code of a coupon, whether they may or not. */
export async function insertFeedback(
  { db }: Pick<TestContext, 'db'>,
  given: { user: Pick<Actor, 'id'>; couponId: number; worked: boolean; at: Date },
): Promise<void> {
  const { user, couponId, worked, at } = given;
  await db
    .insertInto('codeFeedback')
    .columns(['codeHash', 'userId', 'couponId', 'worked', 'givenAt'])
    .expression((from) =>
      from
        .selectFrom('coupons')
        .where('id', '=', couponId)
        .where('codeHash', 'is not', null)
        .select(({ ref, val }) => [
          ref('codeHash').$notNull().as('codeHash'),
          val(user.id).as('userId'),
          'id as couponId',
          val(worked).as('worked'),
          val(at).as('givenAt'),
        ]),
    )
    .execute();
}
