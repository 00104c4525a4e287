import type { Server } from '@talpa/contracts';
import { Form, Select } from '@talpa/panel-kit/form';
import { Alert, Button } from '@talpa/panel-kit/ui';
import styles from './servers.module.css';
import { useServerTexts } from './texts.ts';
import { useNewToken } from './use-new-token.tsx';

/** What the form holds where a proxy gets a server of its own. */
export const ownServer = 0;

export interface ServerValues {
  /** Missing where nobody is asked. */
  readonly serverId?: number;
}

/** Which server a proxy runs on. @param props.moves whether it runs on another one now; a new proxy joins connected ones alone */
export function ServerField(props: {
  readonly servers: readonly Server[];
  readonly moves?: boolean;
  /** Whether it may get one of its own; it may if left out. */
  readonly withNew?: boolean;
}) {
  const { servers, moves = false, withNew = true } = props;
  const t = useServerTexts();
  const form = Form.useFormInstance<ServerValues>();
  // The form has it before there is a field: whether there is one depends on it.
  const chosen = Form.useWatch('serverId', { form, preserve: true });
  const server = servers.find(({ id }) => id === chosen);
  // With a new token its connector is away; it stays chosen.
  const offered = moves ? servers : servers.filter((one) => one.status === 'active' || one === server);
  if (!moves && offered.length === 0) return null;
  const hint = chosen === ownServer ? 'move.newHint' : 'move.hint';
  return (
    <>
      <Form.Item
        name="serverId"
        label={t(moves ? 'move.field' : 'field')}
        extra={t(moves ? hint : 'field.hint')}
      >
        <Select
          options={[
            ...(withNew ? [{ value: ownServer, label: t('field.new') }] : []),
            ...offered.map(({ id, name }) => ({ value: id, label: name })),
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
