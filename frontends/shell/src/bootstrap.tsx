import '@fontsource-variable/inter/wght.css';
import './global.css';
import { createQueryClient, panelConfig, sessionQuery, startLanguage } from '@talpa/panel-kit/core';
import { nonceForStyles } from '@talpa/panel-kit/ui';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { loadFirstPage } from './remotes/load-first-page.ts';

/** How long the page's own sign of loading stays, when the session takes long. */
const patienceMs = 500;

nonceForStyles();
startLanguage(panelConfig().defaultLanguage);
const root = document.getElementById('root');
const queries = createQueryClient();
loadFirstPage(location.pathname);
// Usually the session is there before this code. A page drawn without it would be drawn twice.
const session = queries.prefetchQuery(sessionQuery);
const patience = new Promise((resolve) => setTimeout(resolve, patienceMs));
void Promise.race([session, patience]).then(() => {
  // What waits for the session too (`preload.ts`) sends its requests first: drawing takes a slow phone 200 ms.
  setTimeout(() => root && createRoot(root).render(<App queries={queries} />));
});
