import type { DomainContent } from '@talpa/contracts';
import { commandSubject } from '@talpa/service-kit/bus/subjects';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';

const talpa = useServices(useStores(), ['notifications']);

it('the owner of a custom domain is notified of what its checks found, once however often it is ordered', async () => {
  const params = { proxyId: 1, proxy: 'Server', domain: 'panel.example.org' };
  const inbox = () => talpa.call('GET /api/user/notifications', actorOf(1), {});
  const order = (content: DomainContent, since: string) =>
    talpa.publishStored(commandSubject('notifications.notifyOfDomain'), {
      ...{ domainId: 1, userId: 1, content, since },
    });
  const failing: DomainContent = {
    kind: 'domain_failing',
    params: { ...params, endsAt: '2026-07-04T00:00:00.000Z' },
  };
  const first = '2026-07-01T00:00:00.000Z';
  await order(failing, first);
  await until('the notification', async () => (await inbox()).length > 0);
  expect(await inbox()).toMatchObject([{ ...failing, level: 'warning', topic: 'proxies' }]);
  await order(failing, first);
  await order({ kind: 'domain_lost', params }, first);
  await until('the next one', async () => (await inbox())[0]?.kind === 'domain_lost');
  expect(await inbox()).toHaveLength(2);
  await order(failing, '2026-08-01T00:00:00.000Z');
  await until('that it fails once more', async () => (await inbox())[0]?.kind === failing.kind);
  expect(await inbox()).toHaveLength(3);
});
