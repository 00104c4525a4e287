import { Component, type ReactNode, useState } from 'react';
import { forgetFailures } from '../core/load-once.ts';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import { ErrorCard } from './notice.tsx';
import { Panel } from './page.tsx';
import { reloadOnce } from './reload-once.ts';

interface Fallback {
  readonly error: unknown;
  readonly retry: () => void;
}
interface Props {
  readonly children: ReactNode;
  readonly fallback: (failure: Fallback) => ReactNode;
  readonly mayReloadHelp: () => Promise<boolean>;
}

/** Keeps a failure inside its part of the page. */
class Boundary extends Component<Props, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  private stopWaiting = () => {};

  /** The failure is on the screen: the next to need the page loads it again. */
  override componentDidCatch(error: unknown) {
    forgetFailures();
    if (isMissingFile(error)) this.stopWaiting = reloadOnce(this.props.mayReloadHelp);
  }

  override componentWillUnmount() {
    this.stopWaiting();
  }

  readonly retry = () => this.setState({ error: null });

  override render() {
    if (this.state.error === null) return this.props.children;
    return this.props.fallback({ error: this.state.error, retry: this.retry });
  }
}

/** Files of an older build are gone: only a reload helps. */
function isMissingFile(error: unknown): boolean {
  return (
    error instanceof Error && (error.name === 'ChunkLoadError' || /loading (css )?chunk/i.test(error.message))
  );
}

const always = async () => true;

/** Shows a card in place of a page that failed to load or to render; `title` and `text` say what is missing. */
export function ErrorBoundary(props: {
  readonly children: ReactNode;
  readonly title?: string;
  readonly text?: string;
  /** Whether a reload of the browser's page may bring a file that is missing; left out: it may. */
  readonly mayReloadHelp?: () => Promise<boolean>;
}) {
  const t = useKitTexts();
  const [tries, setTries] = useState(0);
  return (
    <Boundary
      mayReloadHelp={props.mayReloadHelp ?? always}
      fallback={({ error, retry }) => (
        <Panel>
          {isMissingFile(error) && tries > 0 ? (
            <ErrorCard
              isPage
              title={t('error.stale.title')}
              text={t('error.stale.text')}
              retry={() => window.location.reload()}
              retryLabel={t('error.stale.reload')}
            />
          ) : (
            <ErrorCard
              isPage
              {...(props.title ? { title: props.title } : {})}
              {...(props.text ? { text: props.text } : {})}
              error={error}
              retry={() => {
                setTries(tries + 1);
                retry();
              }}
            />
          )}
        </Panel>
      )}
    >
      {props.children}
    </Boundary>
  );
}
