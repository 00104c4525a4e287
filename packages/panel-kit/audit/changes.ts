import type { AuditChanges } from '@talpa/contracts';
import { planOf, tiers } from '@talpa/contracts/plans';
import { useMemo } from 'react';
import { formatDate } from '../core/format.ts';
import { useLanguage } from '../core/texts/language.ts';
import { type AuditTranslate, useAuditTexts } from './texts.ts';
import { de } from './texts-de.ts';

/** One field that was changed, in words; null where it was not told. */
export interface ToldChange {
  readonly field: string;
  readonly label: string;
  readonly from: string | null;
  readonly to: string | null;
}
type Value = AuditChanges[string]['from'];
type KeysBelow<P extends string> = Extract<keyof typeof de, `${P}${string}`>;

const isKey = <P extends string>(key: `${P}${string}`): key is KeysBelow<P> => Object.hasOwn(de, key);

/** Says what a row of the audit trail changed, field by field. */
export function useAuditChanges(): (changes: AuditChanges) => ToldChange[] {
  const t = useAuditTexts();
  const language = useLanguage();
  return useMemo(() => {
    const date = (time: string) => formatDate(time, language) ?? time;
    return (changes) =>
      Object.entries(changes).map(([field, { from, to }]) => {
        const key = `field.${field}` as const;
        const secret = from === undefined && to === undefined;
        return {
          field,
          label: isKey<'field.'>(key) ? t(key) : field,
          // A reason that was not there before is no change of it.
          from:
            from === undefined || (from === null && /reason/i.test(field))
              ? null
              : valueText(t, field, from, date),
          to: secret ? t('value.changed') : to === undefined ? null : valueText(t, field, to, date),
        };
      });
  }, [t, language]);
}

function valueText(t: AuditTranslate, field: string, value: Value, date: (time: string) => string): string {
  const isPlan = field === 'tier' || field === 'subscriptionTier';
  if (value === null || value === undefined || value === '') {
    if (isPlan) return t('value.noPlan');
    return field === 'expiry' ? t('value.never') : t('value.none');
  }
  if (typeof value === 'boolean') return value ? t('value.yes') : t('value.no');
  const tier = isPlan && tiers.find((one) => one === value);
  if (tier) return planOf(tier).name;
  if (field === 'expiry') return date(String(value));
  const reason = `reason.${value}` as const;
  return field === 'statusReason' && isKey<'reason.'>(reason) ? t(reason) : String(value);
}
