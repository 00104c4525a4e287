import type { LoggedRequest } from '@talpa/contracts';
import { formatBytes, formatMoment, useLanguage } from '@talpa/panel-kit/core';
import { Dialog } from '@talpa/panel-kit/form';
import { Alert, Button, Facts, LinkButton } from '@talpa/panel-kit/ui';
import { rulePath } from '../proxy-path.ts';
import { useDuration } from './request-status.tsx';
import styles from './requests.module.css';
import { useRequestTexts } from './texts.ts';

/** All that is known of a request, and what to do about a refused one. */
export function RequestDialog(props: {
  readonly open: boolean;
  readonly proxyId: number;
  readonly request: LoggedRequest;
  readonly onClose: () => void;
}) {
  const t = useRequestTexts();
  const language = useLanguage();
  const durationOf = useDuration();
  const { open, proxyId, request, onClose } = props;
  const { reason, status, rule } = request;
  return (
    <Dialog
      open={open}
      title={t('details')}
      onCancel={onClose}
      footer={<Button onClick={onClose}>{t('close')}</Button>}
    >
      {reason && (
        <Alert
          className={styles.why ?? ''}
          type="warning"
          showIcon
          title={t('details.why')}
          description={
            <>
              {t(`why.${reason}`)} {rule !== null && t('details.rule', { rule })}
            </>
          }
          action={
            rule !== null && <LinkButton to={rulePath(proxyId, rule)}>{t('details.toRule')}</LinkButton>
          }
        />
      )}
      <Facts
        as="framed"
        facts={[
          [t('column.at'), formatMoment(request.at, language)],
          [t('details.method'), request.method],
          [
            t('details.path'),
            <span key="path" className={styles.path}>
              {request.path}
            </span>,
          ],
          [t('column.status'), status ?? t('details.noStatus')],
          [t('column.duration'), durationOf(request)],
          [
            t('details.size'),
            t('details.sizes', {
              in: formatBytes(request.bytesIn, language),
              out: formatBytes(request.bytesOut, language),
            }),
          ],
          [t('details.network'), request.network],
          [t('details.agent'), t(`agent.${request.agent}`)],
          [t('details.requestId'), request.requestId],
        ]}
      />
    </Dialog>
  );
}
