import type { Sandbox } from '#sandbox/main.ts';
import type { Actor } from '#server/context/context.ts';
import { createPaypalOnboardingLink, paypalSellerStatus } from '#server/people/sellers/service.ts';
import { trackingIdOf } from '#server/providers/paypal/onboarding.ts';
import { actingAs, createUser, type TestContext } from '#tests/support/builders.ts';
import { setUpStripeSeller } from '#tests/support/payments.ts';
import { ADMIN, CAST } from '../market/state.ts';

/** Makes the people of the cast, who have gone through the set-up of their providers. */
export async function gather(ctx: TestContext, { stripe, paypal }: Sandbox): Promise<Actor[]> {
  const people: Actor[] = [];
  for (const [who, { name, sellsBy }] of CAST.entries()) {
    const username = name.replace(' ', '-');
    const role = who === ADMIN ? 'admin' : 'user';
    const person = await createUser(ctx, { username, email: `${username}@example.org`, role });
    people.push(person);
    const providers: readonly string[] = sellsBy;
    if (providers.includes('stripe')) await setUpStripeSeller(ctx, person, stripe);
    if (providers.includes('paypal')) {
      const me = actingAs(ctx, person);
      await createPaypalOnboardingLink(me);
      await paypal.finishOnboarding(trackingIdOf(person.id));
      await paypalSellerStatus(me);
    }
  }
  return people;
}
