import { randomUUID } from 'node:crypto';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { connectLink, proxyTo } from '@talpa/test-kit/connector/connector';
import { useEdge } from '@talpa/test-kit/edge';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { useStores } from '@talpa/test-kit/stores';
import { expect, it, onTestFinished } from 'vitest';

const stores = useStores();
const provider = useProvider(stores);
const test = useEdge(provider);

/** A role that owns nothing in the provider's database, as a service's role that somebody has taken over. */
async function newRole() {
  const role = `captured_${randomUUID().slice(0, 8)}`;
  const url = new URL(provider.edgeDatabaseUrl);
  const adminUrl = new URL(stores.stores.adminUrl);
  adminUrl.pathname = url.pathname;
  const admin = openDatabase(adminUrl.href, 1);
  await admin.unsafe(
    `create role ${role} login password '${role}'; grant connect on database ${url.pathname.slice(1)} to ${role}`,
  );
  await admin.end({ timeout: 5 });
  Object.assign(url, { username: role, password: role });
  const sql = openDatabase(url.href, 1);
  onTestFinished(() => sql.end({ timeout: 5 }));
  return sql;
}

it('a notification by another database role that a connector’s connection is gone ends none', async () => {
  const { body } = await provider.send('POST', '/client/v4/accounts/account1/cfd_tunnel', {
    name: 'word',
    config_src: 'cloudflare',
  });
  const { token } = body.result as { token: string };
  const options = { port: test.edge.connectors.port, ca: test.ca, token, onStream: proxyTo(0) };
  const [first, other] = [await connectLink(options, 0), await connectLink(options, 1)];
  onTestFinished(() => void [first, other].map(({ link }) => link.socket.destroy()));
  const { connectionId } = first.response as { connectionId: string };
  const captured = await newRole();
  await captured.notify('edge', `gone ${connectionId}`);
  await captured.notify('edge', 'gone nothing');
  // Words come in their order: when this one has been followed, those have been too.
  await provider.edgeSql`delete from tunnel_provider.connections where id <> ${connectionId}`;
  await other.link.closed;
  expect(first.link.socket.destroyed).toBe(false);
  expect(test.edge.connectors.registry.all().map(({ id }) => id)).toEqual([connectionId]);
});
