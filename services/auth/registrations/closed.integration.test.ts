import { useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { password } from '@talpa/test-kit/users';
import { expect, it } from 'vitest';

const talpa = useServices(useStores(), ['auth'], { REGISTRATION: 'closed' });

it('closed means closed for the API: nobody registers, not even with an invitation', async () => {
  await talpa.ask('auth.ensureFirstAdmin', { username: 'chefin', password });
  const { session } = await talpa.effects('POST /api/login', null, { username: 'chefin', password });
  const admin = await talpa.whoHas(session);
  const { code, url } = await talpa.call('POST /api/admin/invitations', admin, {});
  // Nor is there a PUBLIC_URL: who hands a link out completes it.
  expect(url).toBeNull();
  const own = { id: admin?.userId ?? 0 };
  expect(await talpa.call('POST /api/admin/users/:id/reset-link', admin, own)).toMatchObject({ url: null });
  for (const more of [{}, { invitation: code }])
    await expect(
      talpa.call('POST /api/register', null, { username: 'gast', password, ...more }),
    ).rejects.toMatchObject({ code: 'registration_closed' });
  const rows = await talpa.sql`select username from auth.users`;
  expect(rows).toEqual([{ username: 'chefin' }]);
  expect(await talpa.call('GET /api/admin/invitations', admin, {})).toMatchObject([{ used: 0 }]);
});
