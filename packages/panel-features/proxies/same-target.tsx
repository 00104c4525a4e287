import type { ProxyConfig } from '@talpa/contracts';
import { isLoopback } from '@talpa/contracts/reach';
import { Form } from '@talpa/panel-kit/form';
import { Alert } from '@talpa/panel-kit/ui';
import type { ProxyValues } from './proxy-values.ts';
import { useProxyTexts } from './texts.ts';
import { useProxiesOf } from './use-proxies-of.ts';

/** Which panel a connector finds: all names of its own machine are one. */
const targetOf = (host: string, port: string | number) => `${isLoopback(host) ? 'here' : host} ${port}`;

/** In a proxy's form: that what is entered leads to the panel of another proxy of its server, past the rules of that one. */
export function SameTarget({ proxy }: { readonly proxy: ProxyConfig }) {
  const t = useProxyTexts();
  const form = Form.useFormInstance<ProxyValues>();
  const host = Form.useWatch('serverIP', form) ?? proxy.serverIP;
  const port = Form.useWatch('adminPort', form) ?? proxy.adminPort;
  const { data: proxies = [] } = useProxiesOf({ id: proxy.serverId, userId: proxy.userId });
  const target = targetOf(host.trim().toLowerCase(), String(port).trim());
  const other = proxies.find(
    ({ id, serverIP, adminPort }) => id !== proxy.id && targetOf(serverIP, adminPort) === target,
  );
  if (!other) return null;
  return (
    <Form.Item>
      <Alert
        type="warning"
        showIcon
        title={t('edit.sameTarget', { name: other.serverName })}
        description={t('edit.sameTarget.text', { name: other.serverName, address: proxy.cfDomain })}
      />
    </Form.Item>
  );
}
