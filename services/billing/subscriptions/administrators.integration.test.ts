import { commandSubject } from '@talpa/service-kit/bus/subjects';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';

const billing = useServices(useStores(), ['billing'], { PLAN_CHANGES: 'administrators' });

it('where PLAN_CHANGES is “administrators” users change no plan, and administrators still give them', async () => {
  const seen = (userId: number) => billing.call('GET /api/user/subscription', actorOf(userId), {});
  for (const [userId, isAdmin] of [
    [1, false],
    [2, true],
  ] as const) {
    const order = billing.call('POST /api/user/subscription', actorOf(userId, { isAdmin }), {
      planId: 'enterprise',
    });
    await expect(order).rejects.toMatchObject({ code: 'plan_changes_closed' });
    expect(await seen(userId)).toMatchObject({ tier: null, proxyLimit: 0 });
  }
  const at = new Date().toISOString();
  const given = { userId: 1, tier: 'premium', proxyLimit: 10, version: 2, at };
  await billing.publishStored(commandSubject('billing.setSubscription'), given);
  await until('the plan', async () => (await seen(1)).tier === 'premium');
});
