import { CopyButton, Facts } from '@talpa/panel-kit/ui';
import styles from './payment.module.css';
import { usePaymentTexts } from './texts.ts';

/** Where a transfer goes and by what it is found, to be read and copied. */
export function BankAccount({ reference }: { readonly reference: string }) {
  const t = usePaymentTexts();
  const facts = [
    [t('bank.account'), t('bank.accountName')],
    [t('bank.reference'), reference],
  ] as const;
  return (
    <Facts
      as="framed"
      facts={facts.map(([label, value]) => [
        label,
        <span key={label} className={styles.copyable}>
          <span>{value}</span>
          <CopyButton text={value} label={label} />
        </span>,
      ])}
    />
  );
}
