import type { OriginProblem, ProxyConfig } from '@talpa/contracts';
import { mayDo } from '@talpa/panel-features/proxies';
import { Alert, Button } from '@talpa/panel-kit/ui';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './proxy.module.css';

/** Says why the admin panel does not respond as it should, and leads to the setting; what has been changed since is left out. */
export function OriginProblemAlert(props: {
  readonly problem: OriginProblem | null;
  readonly proxy: ProxyConfig;
  readonly onEdit: () => void;
}) {
  const t = useUserTexts();
  const { problem, proxy, onEdit } = props;
  if (problem === null || !isPossible[problem](proxy)) return null;
  return (
    <Alert
      className={styles.problem ?? ''}
      type="warning"
      showIcon
      title={t(`proxy.problem.${problem}`)}
      description={t(`proxy.problem.${problem}.text`)}
      action={
        mayDo(proxy, 'edit') && (
          <Button size="small" onClick={onEdit}>
            {t('proxy.problem.edit')}
          </Button>
        )
      }
    />
  );
}

/** Whether a problem can still be there, by what is entered now. */
const isPossible: Readonly<Record<OriginProblem, (proxy: ProxyConfig) => boolean>> = {
  speaks_https: ({ originProtocol }) => originProtocol === 'http',
  closes: ({ originProtocol }) => originProtocol === 'http',
  speaks_http: ({ originProtocol }) => originProtocol === 'https',
  certificate: ({ originProtocol, verifyCertificate }) => originProtocol === 'https' && verifyCertificate,
};
