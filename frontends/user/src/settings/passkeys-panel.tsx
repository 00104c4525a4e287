import type { Passkey } from '@talpa/contracts';
import { formatTime, ownPasskeysQuery, panelConfig, passkeysWork, useLanguage } from '@talpa/panel-kit/core';
import { Alert, Button, ErrorCard, Facts, Panel, Skeleton, Tag } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { AddPasskeyDialog, RemovePasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx';
import styles from './security.module.css';
import { useSettingsTexts } from './texts.ts';

type Dialog = 'add' | 'rename' | 'remove' | null;

/** The user's passkeys. It is not there where the operator has set no public address. */
export function PasskeysPanel() {
  const { passkeyHost } = panelConfig();
  return passkeyHost !== null && <Shown host={passkeyHost} />;
}

function Shown({ host }: { readonly host: string }) {
  const t = useSettingsTexts();
  const { data, error, isPending, isFetching, refetch } = useQuery(ownPasskeysQuery);
  const [dialog, setDialog] = useState<Dialog>(null);
  const [chosen, setChosen] = useState<Passkey | null>(null);
  const close = () => setDialog(null);
  const about = (wanted: Dialog, passkey: Passkey) => {
    setChosen(passkey);
    setDialog(wanted);
  };
  const present = data?.find(({ id }) => id === chosen?.id);
  const works = passkeysWork();
  return (
    <Panel
      title={t('passkeys')}
      extra={works && data && <Button onClick={() => setDialog('add')}>{t('passkeys.add')}</Button>}
    >
      <p className={styles.text}>{t('passkeys.text')}</p>
      {!works && (
        <Alert
          type="info"
          showIcon
          title={t('passkeys.unusable')}
          description={t('passkeys.unusableText', { host })}
        />
      )}
      {isPending && <Skeleton active paragraph={{ rows: 2 }} />}
      {error && (
        <ErrorCard
          title={t('passkeys.loadFailed')}
          error={error}
          retry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      {data && data.length > 0 && (
        <ul className={styles.list} aria-label={t('passkeys')} data-list>
          {data.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={() => about('rename', passkey)}
              onRemove={() => about('remove', passkey)}
            />
          ))}
        </ul>
      )}
      <AddPasskeyDialog open={dialog === 'add'} onClose={close} />
      {chosen && (
        <>
          <RenamePasskeyDialog
            open={dialog === 'rename'}
            passkey={present ?? chosen}
            isGone={data !== undefined && !present}
            onClose={close}
          />
          <RemovePasskeyDialog open={dialog === 'remove'} passkey={present ?? chosen} onClose={close} />
        </>
      )}
    </Panel>
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
    <li className={styles.session} data-row-key={id}>
      <span className={styles.icon}>
        <Fingerprint size={19} aria-hidden />
      </span>
      <div className={styles.what}>
        <div className={styles.device}>
          <strong>{name}</strong>
          {!isUsable && <Tag color="warning">{t('passkeys.otherHost', { host })}</Tag>}
        </div>
        <Facts facts={facts} as="inline" />
      </div>
      <div className={styles.buttons}>
        <Button size="small" aria-label={t('passkeys.renameOf', { name })} onClick={props.onRename}>
          {t('passkeys.rename')}
        </Button>
        <Button size="small" aria-label={t('passkeys.removeOf', { name })} onClick={props.onRemove}>
          {t('passkeys.remove')}
        </Button>
      </div>
    </li>
  );
}
