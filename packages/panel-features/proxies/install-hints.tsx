import type { ProxyConfig } from '@talpa/contracts';
import { CodeBlock } from './code-block.tsx';
import { edgeOf, installHelp } from './install-block.ts';
import { type InstallChoice, installationOf } from './install-guide.tsx';
import styles from './proxies.module.css';
import { useProxyTexts } from './texts.ts';

/** Why a connector may not come, and the commands that show it. */
export function InstallHints({
  proxy,
  choice,
}: {
  readonly proxy: ProxyConfig;
  readonly choice: InstallChoice;
}) {
  const t = useProxyTexts();
  const installation = installationOf(proxy, choice);
  const usesKey = choice.way !== 'docker' && !choice.isByHand;
  const help = installHelp(installation, usesKey ? proxy.id : null);
  const { port } = edgeOf(installation);
  const byHand = [
    ['installed', help.remove],
    ['token', null],
  ] as const;
  const isEgg = choice.way === 'egg';
  const hints = [
    ['port', isEgg ? null : help.port] as const,
    // The one command replaces what is there, and nobody copies a part of the token.
    ...(usesKey ? [] : byHand),
    isEgg ? (['console', null] as const) : (['log', help.log] as const),
  ];
  return (
    <section className={styles.hints} aria-label={t('install.hints')}>
      <p className={styles.step}>{t('install.hints')}</p>
      <ul>
        {hints.map(([name, command]) => (
          <li key={name}>
            <p className={styles.paragraph}>
              <strong>{t(`install.hint.${name}`, { port })}</strong> {t(`install.hintText.${name}`)}
            </p>
            {command && (
              <CodeBlock
                label={t(`install.hint.${name}`, { port })}
                hint={t('install.hint.command')}
                shown={command}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
