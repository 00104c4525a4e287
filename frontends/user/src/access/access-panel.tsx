import type { AccessAction, ProxyConfig } from '@talpa/contracts';
import { includesRole, roleOf } from '@talpa/contracts/roles';
import { formatList, proxyAccessQuery, useLanguage } from '@talpa/panel-kit/core';
import { useLocation } from '@talpa/panel-kit/router';
import { LongText } from '@talpa/panel-kit/table';
import { Button, ItemsPanel, Tag } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ruleLineId } from '../proxy-path.ts';
import styles from './access.module.css';
import { EditDialog } from './edit-dialog.tsx';
import { type PolicyValues, valuesOf } from './policy-values.ts';
import { useRuleTexts } from './rule-texts.ts';
import { TestDialog } from './test-dialog.tsx';
import { useAccessTexts } from './texts.ts';
import { TokensPanel } from './tokens-panel.tsx';
import { VisitsPanel } from './visits-panel.tsx';

const colors = { allow: 'success', deny: 'error', continue: 'default', wall: 'processing' } as const;

/** A line of the policy: what happens to whom. */
interface Line {
  readonly key: string;
  /** Null: it is no rule. */
  readonly number: number | null;
  readonly action: AccessAction | 'wall';
  readonly whom: string;
  readonly end: string | null;
}

/** What happens to those whom no rule matches. */
const others = ({ kind, otherwise }: PolicyValues, whom: string): Line => ({
  key: 'others',
  number: null,
  action: kind === 'wall' ? 'wall' : otherwise,
  whom,
  end: null,
});

/** Who may visit a proxy. */
export function AccessPanel({ proxy }: { readonly proxy: ProxyConfig }) {
  const { id: proxyId } = proxy;
  const t = useAccessTexts();
  const language = useLanguage();
  const ruleTexts = useRuleTexts();
  const query = useQuery(proxyAccessQuery(proxyId));
  const [shown, setShown] = useState<'edit' | 'test' | null>(null);
  const close = () => setShown(null);
  const { data } = query;
  const values = data && valuesOf(data.policy);
  const lines: Line[] | undefined = values && [
    ...values.rules.map((rule, index) => ({
      key: String(index),
      number: index + 1,
      action: rule.action,
      whom: ruleTexts.match(rule),
      end: ruleTexts.end(rule),
    })),
    ...(values.kind === 'open' ? [] : [others(values, t('rule.others'))]),
  ];
  const methods = formatList(values?.methods.map((method) => t(`methodName.${method}`)) ?? [], language);
  const isOpen = values?.kind === 'open';
  const mayManage = includesRole(roleOf(proxy), 'manage');
  return (
    <>
      <ItemsPanel
        title={t('title')}
        extra={
          mayManage && (
            <span className={styles.buttons}>
              <Button disabled={!data?.available || isOpen} onClick={() => setShown('test')}>
                {t('test')}
              </Button>
              <Button disabled={!data?.available} onClick={() => setShown('edit')}>
                {t('change')}
              </Button>
            </span>
          )
        }
        text={
          data && (
            <>
              {t(`text.${data.policy.kind}`)} {values?.kind === 'wall' && t('text.wall.methods', { methods })}{' '}
              {!data.available && t('unavailable')}
            </>
          )
        }
        query={{ ...query, data: lines }}
        failed={t('failed')}
        row={(line) => <PolicyLine key={line.key} line={line} />}
      >
        {data && (
          <EditDialog
            open={shown === 'edit'}
            proxyId={proxyId}
            access={data}
            host={proxy.cfDomain}
            onClose={close}
          />
        )}
        {data && (
          <TestDialog open={shown === 'test'} proxyId={proxyId} address={data.address} onClose={close} />
        )}
      </ItemsPanel>
      {values?.kind === 'wall' && mayManage && <VisitsPanel proxyId={proxyId} />}
      {values && mayManage && <TokensPanel proxyId={proxyId} isWall={values.kind === 'wall'} />}
    </>
  );
}

function PolicyLine({ line: { key, number, action, whom, end } }: { readonly line: Line }) {
  const t = useAccessTexts();
  const id = number === null ? undefined : ruleLineId(number);
  const { hash } = useLocation();
  const line = useRef<HTMLLIElement>(null);
  const isWanted = id !== undefined && hash === `#${id}`;
  // A logged request leads to the rule that refused it.
  useEffect(() => {
    if (isWanted) line.current?.focus();
  }, [isWanted]);
  return (
    <li
      ref={line}
      className={styles.line}
      data-row-key={key}
      {...(id === undefined ? {} : { id, tabIndex: -1 })}
    >
      <span className={styles.number}>{number}</span>
      <Tag className={styles.tag ?? ''} color={colors[action]}>
        {t(`action.${action}`)}
      </Tag>
      <span className={styles.whom}>
        <LongText text={whom} />
        {end !== null && <span className={styles.end}>{end}</span>}
      </span>
    </li>
  );
}
