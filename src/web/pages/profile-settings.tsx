import { Anchor, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { PageShell } from '#web/components/page-shell.tsx';
import { SavedCards } from '#web/features/payments/card-list.tsx';
import { paths } from '#web/lib/paths.ts';

/** What the viewer can change about themselves. */
export function ProfileSettingsPage() {
  return (
    <PageShell title="Profile Settings" size="md">
      <section aria-labelledby="payment-methods">
        <Title order={2} size="h3" id="payment-methods">
          Payment methods
        </Title>
        <Text c="dimmed" mt={4} mb="md">
          Cards that you pay with. To be paid yourself,{' '}
          <Anchor component={Link} to={paths.sellerOnboarding} underline="always">
            set up a seller account
          </Anchor>
          .
        </Text>
        <SavedCards />
      </section>
    </PageShell>
  );
}
