import type { RequestLog, RequestLogMode } from '@talpa/contracts';
import { requestLogModes } from '@talpa/contracts/request-kinds';
import { formatCount, useApiMutation, useLanguage, useToast } from '@talpa/panel-kit/core';
import { Form, FormDialog, Radio } from '@talpa/panel-kit/form';
import { Alert } from '@talpa/panel-kit/ui';
import styles from './requests.module.css';
import { useRequestTexts } from './texts.ts';

interface Values {
  readonly mode: RequestLogMode;
}

/** Changes how a proxy's requests are logged. */
export function ModeDialog(props: {
  readonly open: boolean;
  readonly proxyId: number;
  readonly log: RequestLog;
  readonly onClose: () => void;
}) {
  const t = useRequestTexts();
  const toast = useToast();
  const { mutateAsync } = useApiMutation('PUT /api/tunnel-configs/:id/request-log');
  const { open, proxyId, log, onClose } = props;
  const save = async ({ mode }: Values) => {
    await mutateAsync({ id: proxyId, mode });
    toast({ title: t('change.done'), tone: 'success' });
    onClose();
  };
  return (
    <FormDialog<Values>
      open={open}
      title={t('change.title')}
      submit={t('change.submit')}
      failed={t('change.failed')}
      asks={false}
      values={{ mode: log.mode }}
      describe={(_name, value) => ({ label: t('change.mode'), text: t(`mode.${value as RequestLogMode}`) })}
      onSubmit={save}
      onClose={onClose}
    >
      <ModeField log={log} />
    </FormDialog>
  );
}

function ModeField({ log }: { readonly log: RequestLog }) {
  const t = useRequestTexts();
  const language = useLanguage();
  const chosen = Form.useWatch<RequestLogMode>('mode') ?? log.mode;
  const isLoss = chosen !== 'metadata' && log.entries > 0;
  return (
    <>
      <Form.Item name="mode" label={t('change.mode')}>
        <Radio.Group className={styles.modes ?? ''}>
          {requestLogModes.toReversed().map((mode) => (
            <Radio key={mode} value={mode}>
              {t(`mode.${mode}`)}
              <span className={styles.hint}>{t(`mode.${mode}.hint`, { days: log.days })}</span>
            </Radio>
          ))}
        </Radio.Group>
      </Form.Item>
      <div role="status">
        {isLoss && (
          <Alert
            type="warning"
            showIcon
            title={t('change.loss', { count: formatCount(log.entries, language) })}
          />
        )}
      </div>
    </>
  );
}
