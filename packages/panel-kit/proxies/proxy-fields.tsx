import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { panelConfig } from '../core.ts';
import { Form, fields, Input, useFieldRules } from '../form.ts';
import { useProxyTexts } from './texts.ts';

/** What a proxy is made from. */
export interface ProxyValues {
  readonly serverName: string;
  readonly serverIP: string;
  readonly adminPort: string | number;
  readonly customUrl: string;
}

const defaultAdminPort = 40_120;
/** The connector runs on the game server itself. */
export const newProxy: ProxyValues = {
  serverName: '',
  serverIP: '127.0.0.1',
  adminPort: defaultAdminPort,
  customUrl: '',
};

/** A proxy's values as its form starts with. */
export function valuesOf(proxy: ProxyConfig): ProxyValues {
  return {
    serverName: proxy.serverName,
    serverIP: proxy.serverIP,
    adminPort: proxy.adminPort || defaultAdminPort,
    customUrl: proxy.customUrl ?? '',
  };
}

/** What the form sends; the server checks and converts the rest. */
export function toRequest(values: ProxyValues) {
  return { ...values, adminPort: Number(values.adminPort), customUrl: values.customUrl || null };
}

/** The fields of the create and the edit form. */
export function ProxyFields({ withAddress }: { readonly withAddress: boolean }) {
  const t = useProxyTexts();
  const rules = useFieldRules();
  return (
    <>
      <Form.Item name="serverName" label={t('field.serverName')} rules={rules(fields.serverName)}>
        <Input autoFocus maxLength={100} placeholder={t('field.serverName.example')} />
      </Form.Item>
      <Form.Item
        name="serverIP"
        label={t('field.serverIP')}
        extra={t('field.serverIP.hint')}
        hidden={!withAddress}
      >
        <Input inputMode="url" spellCheck={false} />
      </Form.Item>
      <Form.Item
        name="adminPort"
        label={t('field.adminPort')}
        extra={t('field.adminPort.hint')}
        rules={rules(fields.adminPort)}
      >
        <Input inputMode="numeric" style={{ maxWidth: 160 }} />
      </Form.Item>
      <Form.Item
        name="customUrl"
        label={t('field.customUrl')}
        extra={t('field.customUrl.hint')}
        rules={rules(fields.customUrl)}
      >
        <Input suffix={`.${panelConfig().tunnelDomain}`} autoCapitalize="none" spellCheck={false} />
      </Form.Item>
    </>
  );
}
