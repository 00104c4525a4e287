import { signInProvidersQuery, useApiMutation, useRedirect } from '@talpa/panel-kit/core';
import { Button } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { LogIn } from 'lucide-react';
import { keepReturn } from '../return.ts';
import styles from './auth-page.module.css';
import { useAuthTexts } from './texts.ts';

/**
 * Leads to a sign-in provider, which sends the browser back to `provider-page.tsx`. Nothing is there where the operator offers none.
 * @param onProblem gets the error's text, and null when a new attempt begins
 */
export function ProviderButtons({ onProblem }: { readonly onProblem: (problem: string | null) => void }) {
  const t = useAuthTexts();
  const { data: providers = [] } = useQuery(signInProvidersQuery);
  const { mutateAsync: start } = useApiMutation('POST /api/login/provider/request');
  const [chosen, redirectTo] = useRedirect();
  if (providers.length === 0) return null;
  const press = async (provider: string) => {
    onProblem(null);
    const urlOf = async () => {
      const { url } = await start({ provider });
      keepReturn();
      return url;
    };
    await redirectTo(provider, urlOf).catch((error: Error) => onProblem(error.message));
  };
  return (
    <div className={styles.providers}>
      {providers.map(({ id, label }) => (
        <Button
          key={id}
          block
          className={styles.provider ?? ''}
          size="large"
          icon={<LogIn size={16} aria-hidden />}
          loading={chosen === id}
          disabled={chosen !== null && chosen !== id}
          onClick={() => void press(id)}
        >
          {t('auth.provider', { provider: label })}
        </Button>
      ))}
    </div>
  );
}
