import type { LoggedRequest } from '@talpa/contracts';
import { formatBytes, formatExactTime, useLanguage } from '@talpa/panel-kit/core';
import { Dialog } from '@talpa/panel-kit/form';
import { Alert, Button, Facts } from '@talpa/panel-kit/ui';
import { useRef } from 'react';
import { ruleLineId } from '../rule-line.ts';
import { useDuration } from './request-status.tsx';
import styles from './requests.module.css';
import { useRequestTexts } from './texts.ts';

/** All that is known of a request, and what to do about a refused one. */
export function RequestDialog(props: {
  readonly open: boolean;
  readonly request: LoggedRequest;
  readonly onClose: () => void;
}) {
  const t = useRequestTexts();
  const language = useLanguage();
  const durationOf = useDuration();
  const { open, request, onClose } = props;
  const { reason, status, rule } = request;
  const line = rule === null ? null : document.getElementById(ruleLineId(rule));
  const goesToRule = useRef(false);
  const goToRule = () => {
    goesToRule.current = true;
    onClose();
  };
  /** After the dialog has given the focus back. */
  const arrive = () => {
    if (!goesToRule.current) return;
    goesToRule.current = false;
    line?.scrollIntoView({ block: 'center' });
    line?.focus({ preventScroll: true });
  };
  return (
    <Dialog
      open={open}
      title={t('details')}
      onCancel={onClose}
      afterOpenChange={(isOpen) => !isOpen && arrive()}
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
            line && (
              <Button size="small" onClick={goToRule}>
                {t('details.toRule')}
              </Button>
            )
          }
        />
      )}
      <Facts
        as="framed"
        facts={[
          [t('column.at'), formatExactTime(request.at, language)],
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
