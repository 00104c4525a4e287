import { formatCountry, formatTime, useLanguage, useNow } from '@talpa/panel-kit/core';
import type { RuleValues } from './policy-values.ts';
import { useAccessTexts } from './texts.ts';

/** Says in words whom a rule is about, and how long. */
export function useRuleTexts() {
  const t = useAccessTexts();
  const language = useLanguage();
  const now = useNow();
  return {
    match: ({ by, value }: RuleValues): string => {
      if (by === 'country') return t('match.country', { value: formatCountry(value, language) });
      if (by === 'path') return t('match.path', { value });
      return t(value.includes('/') ? 'match.network' : 'match.address', { value });
    },
    /** Null: it has no end. */
    end: ({ expiresAt }: RuleValues): string | null => {
      if (expiresAt === null) return null;
      if (Date.parse(expiresAt) <= now) return t('rule.expired');
      return t('rule.until', { time: formatTime(expiresAt, language) ?? expiresAt });
    },
  };
}
