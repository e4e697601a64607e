import { describe, expect, it } from 'vitest';
import { somebody } from '#web/testing/render.tsx';
import { accountLinksFor, navigationFor } from './navigation.ts';

const account = (role: 'user' | 'moderator' | 'admin') =>
  accountLinksFor(somebody({ role })).map(({ label }) => label);

describe('the links', () => {
  it('lead everybody to How It Works', () => {
    for (const user of [null, somebody()]) {
      expect(navigationFor({ user, isLoading: false })).toContainEqual({
        to: '/how-it-works',
        label: 'How It Works',
      });
    }
  });

  it('to the Admin Dashboard are there for admins alone', () => {
    expect(account('admin')).toContain('Admin Dashboard');
    expect(account('moderator')).not.toContain('Admin Dashboard');
    expect(account('user')).not.toContain('Admin Dashboard');
  });

  it('to reports and claims are there for moderators and admins', () => {
    for (const label of ['Reports', 'Claims']) {
      expect(account('moderator')).toContain(label);
      expect(account('admin')).toContain(label);
      expect(account('user')).not.toContain(label);
    }
  });
});
