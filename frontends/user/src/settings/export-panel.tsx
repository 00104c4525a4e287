import type { AccountExport } from '@talpa/contracts';
import { type ApiError, call, useLanguageChange, useToast, useUser } from '@talpa/panel-kit/core';
import { Alert, Button, Panel } from '@talpa/panel-kit/ui';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { saveAs } from './save-as.ts';
import styles from './settings.module.css';
import { useSettingsTexts } from './texts.ts';

/** Everything that is held about oneself, as a file. */
export function ExportPanel() {
  const t = useSettingsTexts();
  const toast = useToast();
  const { username } = useUser();
  const { mutate, isPending, error, reset } = useMutation<void, ApiError>({
    mutationFn: async () => {
      const data = await wholeExport();
      const day = data.exportedAt.slice(0, 'yyyy-mm-dd'.length);
      saveAs(`talpa-${username}-${day}.json`, JSON.stringify(data, null, 2), 'application/json');
    },
    onSuccess: () => {
      toast({ title: t('export.done'), tone: 'success' });
    },
  });
  useLanguageChange(() => {
    if (error) reset();
  });
  return (
    <Panel
      title={t('export')}
      footer={
        <div className={styles.bar}>
          <Button loading={isPending} icon={<Download size={15} aria-hidden />} onClick={() => mutate()}>
            {isPending ? t('export.pending') : t('export.submit')}
          </Button>
        </div>
      }
    >
      <div className={styles.form}>
        <p className={styles.text}>{t('export.text')}</p>
        {error && <Alert type="error" showIcon title={t('export.failed')} description={error.message} />}
      </div>
    </Panel>
  );
}

/** All of it, or an error: lists too long for one response are put together again. */
async function wholeExport(): Promise<Omit<AccountExport, 'next'>> {
  const { next: more, ...whole } = await call('GET /api/user/export', {});
  for (let cursor = more; cursor !== null; ) {
    const part = await call('GET /api/user/export', { cursor });
    whole.proxies.push(...part.proxies);
    whole.audit.push(...part.audit);
    whole.mails.push(...part.mails);
    whole.notifications.push(...part.notifications);
    whole.deliveries.push(...part.deliveries);
    whole.requests.push(...part.requests);
    cursor = part.next;
  }
  return whole;
}
