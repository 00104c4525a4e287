import type { Passkey } from '@talpa/contracts';
import {
  formatTime,
  ownPasskeysQuery,
  panelConfig,
  passkeysWork,
  useApiMutation,
  useLanguage,
} from '@talpa/panel-kit/core';
import { useConfirm } from '@talpa/panel-kit/form';
import { Alert, Button, ItemRow, ItemsPanel, Tag } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Fingerprint, Plus } from 'lucide-react';
import { useState } from 'react';
import { AddPasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx';
import { useSettingsTexts } from './texts.ts';

/** The user's passkeys. It is not there where the operator has set no public address. */
export function PasskeysPanel() {
  const { passkeyHost } = panelConfig();
  return passkeyHost !== null && <Shown host={passkeyHost} />;
}

function Shown({ host }: { readonly host: string }) {
  const t = useSettingsTexts();
  const query = useQuery(ownPasskeysQuery);
  const { data } = query;
  const [dialog, setDialog] = useState<'add' | 'rename' | null>(null);
  const [chosen, setChosen] = useState<Passkey | null>(null);
  const close = () => setDialog(null);
  const presentOf = (passkey: Passkey | null) => data?.find(({ id }) => id === passkey?.id);
  const present = presentOf(chosen);
  const removal = useConfirm(useApiMutation('DELETE /api/user/passkeys/:id'), (passkey: Passkey) => {
    const { id, name } = presentOf(passkey) ?? passkey;
    return {
      title: t('removePasskey.title'),
      text: t('removePasskey.text', { name }),
      confirm: t('removePasskey.submit'),
      input: { id },
      done: { title: t('removePasskey.done'), text: name },
      failed: t('removePasskey.failed'),
    };
  });
  const works = passkeysWork();
  return (
    <ItemsPanel
      title={t('passkeys')}
      extra={
        works &&
        data && (
          <Button icon={<Plus size={15} aria-hidden />} onClick={() => setDialog('add')}>
            {t('passkeys.add')}
          </Button>
        )
      }
      text={t('passkeys.text')}
      notice={
        !works && (
          <Alert
            type="info"
            showIcon
            title={t('passkeys.unusable')}
            description={t('passkeys.unusableText', { host })}
          />
        )
      }
      query={query}
      failed={t('passkeys.loadFailed')}
      row={(passkey) => (
        <PasskeyRow
          key={passkey.id}
          passkey={passkey}
          onRename={() => {
            setChosen(passkey);
            setDialog('rename');
          }}
          onRemove={() => removal.ask(passkey)}
        />
      )}
    >
      <AddPasskeyDialog open={dialog === 'add'} onClose={close} />
      {chosen && (
        <RenamePasskeyDialog
          open={dialog === 'rename'}
          passkey={present ?? chosen}
          isGone={data !== undefined && !present}
          onClose={close}
        />
      )}
      {removal.dialog}
    </ItemsPanel>
  );
}

function PasskeyRow(props: {
  readonly passkey: Passkey;
  readonly onRename: () => void;
  readonly onRemove: () => void;
}) {
  const t = useSettingsTexts();
  const language = useLanguage();
  const { id, name, createdAt, lastUsedAt, isUsable, host } = props.passkey;
  const facts = [
    [t('passkeys.created'), formatTime(createdAt, language)],
    [t('passkeys.lastUsed'), lastUsedAt === null ? t('passkeys.never') : formatTime(lastUsedAt, language)],
  ] as const;
  return (
    <ItemRow
      id={id}
      icon={<Fingerprint size={19} aria-hidden />}
      head={
        <>
          <strong>{name}</strong>
          {!isUsable && <Tag color="warning">{t('passkeys.otherHost', { host })}</Tag>}
        </>
      }
      facts={facts}
      actions={
        <>
          <Button size="small" aria-label={t('passkeys.renameOf', { name })} onClick={props.onRename}>
            {t('passkeys.rename')}
          </Button>
          <Button size="small" aria-label={t('passkeys.removeOf', { name })} onClick={props.onRemove}>
            {t('passkeys.remove')}
          </Button>
        </>
      }
    />
  );
}
