import type { CustomDomain } from '@talpa/contracts';
import { formatTime, useApiMutation, useLanguage, useToast } from '@talpa/panel-kit/core';
import { LongText } from '@talpa/panel-kit/table';
import { Alert, Button, CopyButton, type Fact, Facts, Tag } from '@talpa/panel-kit/ui';
import styles from './domains.module.css';
import { useDomainTexts } from './texts.ts';

const colors = { pending: 'processing', verified: 'success', failed: 'error' } as const;

/** One domain: its state, what is wrong with it, and the records it needs. */
export function DomainRow(props: {
  readonly proxyId: number;
  readonly domain: CustomDomain;
  /** Left out for readers who may not check it. */
  readonly onChecked: (() => void) | undefined;
  /** Left out for readers who may not remove it. */
  readonly onRemove: (() => void) | undefined;
}) {
  const t = useDomainTexts();
  const toast = useToast();
  const language = useLanguage();
  const { id, host, state, checkedAt, verifiedAt } = props.domain;
  const { mutate, isPending } = useApiMutation('POST /api/tunnel-configs/:id/domains/:domainId/check');
  const check = () =>
    mutate(
      { id: props.proxyId, domainId: id },
      {
        onSuccess: () => props.onChecked?.(),
        onError: ({ message }) => toast({ title: t('check.failed'), text: message, tone: 'error' }),
      },
    );
  const facts: readonly Fact[] = [
    [t('checked'), checkedAt ? formatTime(checkedAt, language) : t('checked.never')],
    ...(verifiedAt && state === 'verified'
      ? [[t('verified'), formatTime(verifiedAt, language)] as const]
      : []),
  ];
  return (
    <li className={styles.domain} data-row-key={id}>
      <div className={styles.head}>
        <strong>
          <LongText text={host} />
        </strong>
        <Tag color={colors[state]}>{t(`state.${state}`)}</Tag>
      </div>
      <div className={styles.actions}>
        {props.onChecked && (
          <Button size="small" loading={isPending} aria-label={t('check.of', { host })} onClick={check}>
            {t('check')}
          </Button>
        )}
        {props.onRemove && (
          <Button size="small" aria-label={t('remove.of', { host })} onClick={props.onRemove}>
            {t('remove')}
          </Button>
        )}
      </div>
      <Facts as="inline" facts={facts} />
      {state !== 'verified' && <Wanted domain={props.domain} />}
    </li>
  );
}

/** What is wrong, and the records that the domain needs. */
function Wanted({ domain }: { readonly domain: CustomDomain }) {
  const t = useDomainTexts();
  const language = useLanguage();
  const { host, state, problem, servedUntil, records } = domain;
  const hint = servedUntil
    ? t('servedUntil', { time: formatTime(servedUntil, language) })
    : t(state === 'failed' ? 'notServed' : 'pending.hint');
  return (
    <>
      {problem && (
        <Alert
          type={state === 'failed' ? 'error' : 'info'}
          showIcon
          title={t(`problem.${problem}`)}
          description={hint}
        />
      )}
      <ul className={styles.records} aria-label={t('records', { host })}>
        {records.map(({ type, name, value }) => (
          <li key={type} className={styles.record}>
            <Part label={t('record.type')} value={type} />
            <Part label={t('record.name')} value={name} copy={t('record.copyName', { type, host })} />
            <Part label={t('record.value')} value={value} copy={t('record.copyValue', { type, host })} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** @param props.copy what is copied, in words; left out: it cannot be copied */
function Part(props: { readonly label: string; readonly value: string; readonly copy?: string }) {
  return (
    <div className={styles.part}>
      <span className={styles.label}>{props.label}</span>
      <span className={styles.value}>
        <LongText text={props.value} />
        {props.copy && <CopyButton quiet text={props.value} label={props.copy} />}
      </span>
    </div>
  );
}
