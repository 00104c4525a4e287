import type { SecondFactor } from '@talpa/contracts';
import { asksForFactor } from '@talpa/contracts/factor-policy';
import {
  formatTime,
  panelConfig,
  secondFactorQuery,
  useApiMutation,
  useLanguage,
  useToast,
  useUser,
} from '@talpa/panel-kit/core';
import { Alert, Button, ErrorCard, type Fact, Facts, Panel, Skeleton, Tag } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import styles from './second-factor.module.css';
import { NewCodesDialog, RemoveAppDialog } from './second-factor-dialogs.tsx';
import { SetUpDialog, type Started } from './set-up-dialog.tsx';
import { useSettingsTexts } from './texts.ts';

/** With so few recovery codes left the panel asks the user to make new ones. */
const few = 2;

type Dialog = 'setUp' | 'newCodes' | 'remove' | 'codes' | null;

/** The user's second factor: an authenticator app and its recovery codes. */
export function SecondFactorPanel() {
  const t = useSettingsTexts();
  const toast = useToast();
  const { data, error, isPending, isFetching, refetch } = useQuery(secondFactorQuery);
  const [dialog, setDialog] = useState<Dialog>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [started, setStarted] = useState<Started | null>(null);
  const start = useApiMutation('POST /api/user/authenticator');
  const close = () => setDialog(null);
  const begin = () =>
    start.mutate(
      {},
      {
        onSuccess: (made) => {
          setStarted({ ...made, isReplacing: Boolean(data?.authenticator) });
          setDialog('setUp');
        },
        onError: ({ message }) => toast({ title: t('setUp.failed'), text: message, tone: 'error' }),
      },
    );
  const show = (recoveryCodes: readonly string[]) => {
    setCodes(recoveryCodes);
    setDialog('codes');
  };
  return (
    <Panel title={t('factor')} extra={data?.authenticator && <Tag color="success">{t('factor.on')}</Tag>}>
      <p className={styles.text}>{t('factor.text')}</p>
      {isPending && <Skeleton active paragraph={{ rows: 2 }} />}
      {error && (
        <ErrorCard
          title={t('factor.loadFailed')}
          error={error}
          retry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      {data && !data.authenticator && (
        <Button
          type="primary"
          icon={<ShieldCheck size={15} aria-hidden />}
          loading={start.isPending}
          onClick={begin}
        >
          {t(data.isPending ? 'factor.resume' : 'factor.setUp')}
        </Button>
      )}
      {data?.authenticator && (
        <Present factor={data} open={setDialog} isStarting={start.isPending} onReplace={begin} />
      )}
      <SetUpDialog open={dialog === 'setUp'} started={started} onDone={show} onClose={close} />
      <NewCodesDialog open={dialog === 'newCodes'} onDone={show} onClose={close} />
      <RemoveAppDialog open={dialog === 'remove'} onClose={close} />
      {codes.length > 0 && (
        <RecoveryCodesDialog
          open={dialog === 'codes'}
          codes={codes}
          onClose={() => {
            close();
            // The page must not keep them.
            setCodes([]);
          }}
        />
      )}
    </Panel>
  );
}

function Present({
  factor: { authenticator, recoveryCodesLeft },
  open,
  isStarting,
  onReplace,
}: {
  readonly factor: SecondFactor;
  readonly open: (dialog: Dialog) => void;
  readonly isStarting: boolean;
  readonly onReplace: () => void;
}) {
  const t = useSettingsTexts();
  const language = useLanguage();
  const isRequired = asksForFactor(panelConfig().secondFactor, useUser());
  if (!authenticator) return null;
  const { addedAt, lastUsedAt } = authenticator;
  const facts: Fact[] = [
    [t('factor.added'), formatTime(addedAt, language)],
    [t('factor.lastUsed'), lastUsedAt === null ? t('factor.never') : formatTime(lastUsedAt, language)],
    [t('factor.codesLeft'), String(recoveryCodesLeft)],
  ];
  return (
    <>
      <Facts facts={facts} as="tiles" />
      {recoveryCodesLeft <= few && (
        <Alert
          className={styles.notice ?? ''}
          type="warning"
          showIcon
          title={t('factor.fewCodes', { count: recoveryCodesLeft })}
          description={t('factor.fewCodesText')}
        />
      )}
      <div className={styles.actions}>
        <Button onClick={() => open('newCodes')}>{t('factor.newCodes')}</Button>
        <Button loading={isStarting} onClick={onReplace}>
          {t('factor.replace')}
        </Button>
        {!isRequired && <Button onClick={() => open('remove')}>{t('factor.remove')}</Button>}
      </div>
      {isRequired && <p className={styles.hint}>{t('factor.required')}</p>}
    </>
  );
}
