import { issuesOf, issueText } from '@talpa/contracts/issues';
import type { Rule } from 'antd/es/form';
import { useMemo } from 'react';
import type { z } from 'zod';
import { useLanguage } from '../core/texts/language.ts';

/**
 * Makes antd's rule of a field of the contract: the same check, the same text as on the server. With
 * `optional` an empty field is right, too.
 */
export function useFieldRules(): (schema: z.ZodType, options?: { readonly optional: boolean }) => Rule[] {
  const language = useLanguage();
  return useMemo(
    () => (schema, options) => [
      {
        validator: async (_rule: unknown, value: unknown) => {
          if (options?.optional && value === '') return;
          const result = schema.safeParse(value, { reportInput: true });
          const [issue] = result.success ? [] : issuesOf(result.error);
          if (issue) throw new Error(issueText(issue.key, language, issue.params));
        },
      },
    ],
    [language],
  );
}

/** Makes antd's rule of a password's repetition: it equals the other field of its form. */
export function useRepetitionRule(field: string): Rule {
  const language = useLanguage();
  return useMemo(
    () =>
      ({ getFieldValue }) => ({
        validator: async (_rule: unknown, value: unknown) => {
          if (value !== getFieldValue(field)) throw new Error(issueText('passwordsDiffer', language));
        },
      }),
    [field, language],
  );
}
