import type { Server } from '@talpa/contracts';
import { serversQuery } from '@talpa/panel-kit/core';
import { Form, Select } from '@talpa/panel-kit/form';
import { Alert, Button } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import styles from './servers.module.css';
import { useServerTexts } from './texts.ts';
import { useNewToken } from './use-new-token.tsx';

/** What the form holds where a proxy gets a server of its own. */
export const ownServer = 0;

export interface ServerValues {
  /** Missing where nobody is asked. */
  readonly serverId?: number;
}

/** Which server a proxy runs on. */
export function ServerField({
  servers,
  withNew,
}: {
  readonly servers: readonly Server[];
  readonly withNew: boolean;
}) {
  const t = useServerTexts();
  const form = Form.useFormInstance<ServerValues>();
  const chosen = Form.useWatch('serverId', form);
  const server = servers.find(({ id }) => id === chosen);
  return (
    <>
      <Form.Item name="serverId" label={t('field')} extra={t(withNew ? 'field.hint' : 'move.hint')}>
        <Select
          options={[
            ...(withNew ? [{ value: ownServer, label: t('field.new') }] : []),
            ...servers.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      </Form.Item>
      {server?.tokenShared && <TokenShared server={server} />}
    </>
  );
}

/** That nothing joins a server whose token somebody else knows, and the way out. */
function TokenShared({ server }: { readonly server: Server }) {
  const t = useServerTexts();
  const form = Form.useFormInstance<ServerValues>();
  const newToken = useNewToken(() => form.setFields([{ name: 'serverId', errors: [] }]));
  return (
    <Form.Item>
      <Alert
        type="warning"
        showIcon
        title={t('shared')}
        description={
          <>
            <p className={styles.text}>{t('shared.text', { name: server.name })}</p>
            <Button onClick={() => newToken.ask(server)}>{t('token.new')}</Button>
          </>
        }
      />
      {newToken.dialog}
    </Form.Item>
  );
}

/** The servers that a new proxy may join: those with a connector, and the one it was begun from. */
export function useServersToJoin(preset: number | undefined): readonly Server[] {
  const { data = [] } = useQuery(serversQuery);
  return data.filter(({ id, status }) => status === 'active' || id === preset);
}
