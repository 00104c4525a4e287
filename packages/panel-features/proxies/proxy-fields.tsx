import { originProtocols, type PanelKind, panels } from '@talpa/contracts/panels';
import { subdomainOf } from '@talpa/contracts/subdomain';
import { panelConfig, useLanguage } from '@talpa/panel-kit/core';
import {
  type DescribeField,
  Form,
  fields,
  Input,
  issueText,
  Radio,
  Select,
  useFieldRules,
} from '@talpa/panel-kit/form';
import { AddressPreview } from './address-preview.tsx';
import { OriginFields } from './origin-fields.tsx';
import { panelChoice } from './panel-settings.ts';
import styles from './proxies.module.css';
import { type ProxyValues, valuesOfPanel } from './proxy-values.ts';
import { type ProxyTranslate, useProxyTexts } from './texts.ts';
import type { AddressHolder } from './use-availability.ts';

/** How a changed field of a proxy is shown. */
export function useDescribeField(): DescribeField {
  const t = useProxyTexts();
  return (name, value) => ({
    label: t(`field.${name as keyof ProxyValues}`),
    text: typeof value === 'boolean' ? t(value ? 'field.on' : 'field.off') : textOf(t, name, String(value)),
  });
}

function textOf(t: ProxyTranslate, name: string, value: string): string {
  if (name === 'panel') return panelChoice(t, value as PanelKind);
  return name === 'originProtocol' ? value.toUpperCase() : value;
}

/**
 * The fields of the create form and, with the proxy, of the edit form. A new proxy's server IP is its default.
 * The address a proxy has may be kept, also when it has been reserved since.
 */
export function ProxyFields({ proxy }: { readonly proxy?: AddressHolder }) {
  const t = useProxyTexts();
  const rules = useFieldRules();
  const checkSubdomain = useSubdomainRule(proxy?.cfDomain);
  return (
    <>
      <Form.Item name="serverName" label={t('field.serverName')} rules={rules(fields.serverName)}>
        <Input placeholder={t('field.serverName.example')} />
      </Form.Item>
      <Form.Item
        name="serverIP"
        label={t('field.serverIP')}
        extra={t('field.serverIP.hint')}
        rules={rules(fields.serverIP)}
        hidden={!proxy}
      >
        <Input inputMode="url" spellCheck={false} />
      </Form.Item>
      <PanelField />
      <div className={styles.port}>
        <Form.Item name="adminPort" label={t('field.adminPort')} rules={rules(fields.adminPort)}>
          <Input inputMode="numeric" style={{ maxWidth: 160 }} />
        </Form.Item>
        <Form.Item name="originProtocol" label={t('field.originProtocol')}>
          <Radio.Group options={originProtocols.map((value) => ({ value, label: value.toUpperCase() }))} />
        </Form.Item>
      </div>
      <Form.Item
        name="customUrl"
        label={t('field.customUrl')}
        extra={t('field.customUrl.hint')}
        // The address comes from the name when this field is empty.
        dependencies={['serverName']}
        validateFirst
        rules={[...rules(fields.customUrl), checkSubdomain]}
      >
        <Input suffix={`.${panelConfig().tunnelDomain}`} autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <AddressPreview proxy={proxy} />
      <OriginFields />
    </>
  );
}

/** What runs behind the tunnel: fills in where it is found after its installation. */
function PanelField() {
  const t = useProxyTexts();
  const form = Form.useFormInstance<ProxyValues>();
  return (
    <Form.Item name="panel" label={t('field.panel')} extra={t('field.panel.hint')}>
      <Select
        options={panels.map((value) => ({ value, label: panelChoice(t, value) }))}
        onChange={(panel: PanelKind) => form.setFieldsValue(valuesOfPanel(panel) as object)}
      />
    </Form.Item>
  );
}

/** The server's own rule: what is typed must result in a subdomain that nobody has reserved. */
function useSubdomainRule(address: string | undefined) {
  const language = useLanguage();
  const { tunnelDomain } = panelConfig();
  return ({ getFieldValue }: { getFieldValue: (name: string) => unknown }) => ({
    validator: async (_rule: unknown, value: unknown) => {
      const name = String(getFieldValue('serverName') ?? '');
      const custom = String(value ?? '').trim() || null;
      // An empty name has an error of its own.
      if (custom === null && name.trim() === '') return;
      const subdomain = subdomainOf(name, custom, tunnelDomain);
      if (!('problem' in subdomain) || `${subdomain.label}.${tunnelDomain}` === address) return;
      const key = subdomain.problem === 'subdomain_reserved' ? 'subdomainReserved' : subdomain.problem;
      throw new Error(issueText(key, language, { subdomain: subdomain.label ?? '' }));
    },
  });
}
