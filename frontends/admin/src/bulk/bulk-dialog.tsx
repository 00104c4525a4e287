import { useKept } from '@talpa/panel-features/proxies';
import { Dialog, Form, firstFocus, Input, useOpener, useOpening } from '@talpa/panel-kit/form';
import { Alert, Button, Progress } from '@talpa/panel-kit/ui';
import { useState } from 'react';
import { useAdminTexts } from '../texts/admin-texts.ts';
import styles from './bulk.module.css';
import type { Outcome } from './run-all.ts';

/** How far a deletion of many has come. */
export interface Work<Row> {
  readonly step: 'ask' | 'running' | 'report';
  readonly items: readonly Row[];
  readonly isStopping: boolean;
  readonly outcome: Outcome<Row> | null;
}

/** From so many on one types how many: a click is made too easily. */
const typedFrom = 5;

interface Props<Row> {
  readonly work: Work<Row> | null;
  readonly kind: 'users' | 'proxies';
  readonly nameOf: (row: Row) => string;
  readonly onConfirm: (items: readonly Row[], before: readonly Row[]) => void;
  readonly onStop: () => void;
  readonly onClose: () => void;
}

/** Asks, naming all that goes; shows the work; and says what failed and why. */
export function BulkDialog<Row extends { readonly id: number }>(props: Props<Row>) {
  const opening = useOpening(props.work !== null);
  return opening > 0 && <OpenedDialog key={opening} {...props} />;
}

function OpenedDialog<Row extends { readonly id: number }>(props: Props<Row>) {
  const t = useAdminTexts();
  const work = useKept(props.work);
  const [typed, setTyped] = useState('');
  const giveFocusBack = useOpener(props.work !== null);
  if (!work) return null;
  const { step, items, outcome } = work;
  const count = items.length;
  const mustType = step === 'ask' && count >= typedFrom;
  const isTyped = !mustType || typed.trim() === String(count);
  const rest = outcome ? [...outcome.failed.map(({ item }) => item), ...outcome.left] : [];
  const confirm = () => isTyped && props.onConfirm(items, []);
  return (
    <Dialog
      open={props.work !== null}
      title={t(`bulk.${props.kind}.title`, { count })}
      closable={step !== 'running' && { 'aria-label': t('bulk.close') }}
      mask={{ closable: false }}
      keyboard={step !== 'running'}
      onCancel={props.onClose}
      afterOpenChange={giveFocusBack}
      width={520}
      footer={
        <div className={styles.buttons}>
          {step === 'ask' && (
            <>
              <Button {...(mustType ? {} : firstFocus)} onClick={props.onClose}>
                {t('bulk.cancel')}
              </Button>
              <Button danger type="primary" disabled={!isTyped} onClick={confirm}>
                {t('bulk.confirm')}
              </Button>
            </>
          )}
          {step === 'running' && (
            <Button disabled={work.isStopping} onClick={props.onStop}>
              {t('bulk.stop')}
            </Button>
          )}
          {step === 'report' && (
            <>
              <Button onClick={() => props.onConfirm(rest, outcome?.done ?? [])}>{t('bulk.retry')}</Button>
              <Button type="primary" onClick={props.onClose}>
                {t('bulk.close')}
              </Button>
            </>
          )}
        </div>
      }
    >
      <div className={styles.body}>
        {step === 'ask' && (
          <>
            <p>{t(`bulk.${props.kind}.text`)}</p>
            <Names rows={items} nameOf={props.nameOf} />
            {mustType && (
              <Form noValidate layout="vertical" onFinish={confirm}>
                <Form.Item label={t('bulk.type', { count })} htmlFor="bulk-count">
                  <Input
                    id="bulk-count"
                    inputMode="numeric"
                    autoComplete="off"
                    value={typed}
                    onChange={({ target }) => setTyped(target.value)}
                  />
                </Form.Item>
              </Form>
            )}
          </>
        )}
        {step === 'running' && outcome && (
          <div role="status">
            <p>{t('bulk.progress', { done: outcome.done.length, count })}</p>
            <Progress
              percent={Math.round((100 * (outcome.done.length + outcome.failed.length)) / count)}
              aria-label={t(`bulk.${props.kind}.title`, { count })}
            />
            {work.isStopping && <p>{t('bulk.stopping')}</p>}
          </div>
        )}
        {step === 'report' && outcome && (
          <div role="alert" className={styles.body}>
            {outcome.done.length > 0 && (
              <Alert type="success" showIcon title={t('bulk.done', { count: outcome.done.length })} />
            )}
            {outcome.failed.length > 0 && (
              <>
                <Alert type="error" showIcon title={t('bulk.failed', { count: outcome.failed.length })} />
                <ul className={styles.names}>
                  {outcome.failed.map(({ item, reason }) => (
                    <li key={item.id}>
                      <strong>{props.nameOf(item)}</strong>: {reason}
                    </li>
                  ))}
                </ul>
              </>
            )}
            {outcome.left.length > 0 && (
              <>
                <Alert type="warning" showIcon title={t('bulk.left', { count: outcome.left.length })} />
                <Names rows={outcome.left} nameOf={props.nameOf} />
              </>
            )}
          </div>
        )}
      </div>
    </Dialog>
  );
}

function Names<Row extends { readonly id: number }>(props: {
  readonly rows: readonly Row[];
  readonly nameOf: (row: Row) => string;
}) {
  return (
    <ul className={styles.names}>
      {props.rows.map((row) => (
        <li key={row.id}>{props.nameOf(row)}</li>
      ))}
    </ul>
  );
}
