import { Alert, Button, Spin } from '@talpa/panel-kit/ui';
import styles from './payment.module.css';
import { usePaymentTexts } from './texts.ts';

/** Nothing to do but wait; it cannot be closed. */
export function ProcessingStep() {
  const t = usePaymentTexts();
  return (
    <div className={styles.waiting} role="status">
      <Spin size="large" />
      <p className={styles.text}>{t('processing')}</p>
    </div>
  );
}

/** It went through; the dialog closes by itself. */
export function SuccessStep({ text, onClose }: { readonly text: string; readonly onClose: () => void }) {
  const t = usePaymentTexts();
  return (
    <div className={styles.step}>
      <Alert type="success" showIcon title={t('success.title')} description={text} />
      <div className={styles.buttons}>
        <Button type="primary" onClick={onClose}>
          {t('close')}
        </Button>
      </div>
    </div>
  );
}

const reasons = ['funds', 'declined', 'technical'] as const;

/** It did not, and why that may be. */
export function ErrorStep(props: { readonly onRetry: () => void; readonly onClose: () => void }) {
  const t = usePaymentTexts();
  return (
    <div className={styles.step}>
      <Alert
        type="error"
        showIcon
        role="alert"
        title={t('error.text')}
        description={
          <>
            {t('error.reasons')}
            <ul className={styles.reasons}>
              {reasons.map((reason) => (
                <li key={reason}>{t(`error.reason.${reason}`)}</li>
              ))}
            </ul>
          </>
        }
      />
      <div className={styles.buttons}>
        <Button onClick={props.onClose}>{t('close')}</Button>
        <Button type="primary" onClick={props.onRetry}>
          {t('retry')}
        </Button>
      </div>
    </div>
  );
}
