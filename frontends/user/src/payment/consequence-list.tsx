import { formatDate, useLanguage } from '@talpa/panel-kit/core';
import { Alert } from '@talpa/panel-kit/ui';
import type { Consequence } from './consequences.ts';
import type { Order } from './order.ts';
import styles from './payment.module.css';
import { usePaymentTexts } from './texts.ts';

/** What the ordered plan takes away and what stays, before it is ordered; nothing where it only adds. */
export function ConsequenceList({ plan, consequences }: Order) {
  const textsOf = useTexts('whole');
  const t = usePaymentTexts();
  if (consequences.length === 0) return null;
  return (
    <Alert
      type="warning"
      showIcon
      title={t('consequences', { name: plan.name })}
      description={
        <ul className={styles.reasons}>
          {consequences.flatMap(textsOf).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      }
    />
  );
}

/** The same in short, where the order is confirmed. */
export function ConsequencesInShort({ consequences }: Order) {
  const textsOf = useTexts('short');
  if (consequences.length === 0) return null;
  return <Alert type="warning" showIcon title={consequences.flatMap(textsOf).join(' ')} />;
}

function useTexts(length: 'whole' | 'short') {
  const t = usePaymentTexts();
  const language = useLanguage();
  const isShort = length === 'short';
  return (one: Consequence): readonly string[] => {
    switch (one.kind) {
      case 'above':
        return [
          isShort ? t('consequence.short.keep') : t('consequence.keep', { count: one.used }),
          t('consequence.create', { count: one.tooMany }),
        ];
      case 'fewer':
        return [t('consequence.fewer')];
      case 'log':
        return [t(isShort ? 'consequence.short.log' : 'consequence.log', { count: one.days })];
      case 'ends': {
        const date = formatDate(one.expiry, language) ?? '';
        return [t(isShort ? 'consequence.short.ends' : 'consequence.ends', { name: one.name, date })];
      }
    }
  };
}
