import { giveEmail } from '@talpa/test-kit/emails';
import { useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { password } from '@talpa/test-kit/users';
import { describe, expect, it } from 'vitest';

const talpa = useServices(useStores(), ['auth'], { EMAIL_REQUIRED: 'true' });
describe('where EMAIL_REQUIRED is on', () => {
  const register = async (username: string, email?: string) => {
    const { session } = await talpa.effects('POST /api/register', null, { username, password, email });
    const actor = await talpa.whoHas(session);
    if (!actor) throw new Error('no session came with the registration');
    return { session, actor };
  };

  it('nobody registers without an address, or removes theirs', async () => {
    const missing = { issues: [{ path: ['email'], key: 'required' }] };
    await expect(register('ohne-adresse')).rejects.toMatchObject(missing);
    const { actor } = await register('mit-adresse', 'mit@example.com');
    const remove = talpa.call('POST /api/user/preferences', actor, { email: '' });
    await expect(remove).rejects.toMatchObject(missing);
    await talpa.call('POST /api/user/preferences', actor, { email: 'andere@example.com' });
  });

  it('auth says of a session that it lacks a verified address, until there is one', async () => {
    const { session, actor } = await register('noch-ohne', 'noch@example.com');
    expect(actor).toMatchObject({ lacksEmail: true });
    await giveEmail(talpa.sql, actor.userId, 'noch@example.com');
    expect(await talpa.whoHas(session)).not.toHaveProperty('lacksEmail');
  });
});
