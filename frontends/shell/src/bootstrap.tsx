import '@fontsource-variable/inter/wght.css';
import './global.css';
import { panelConfig, startLanguage } from '@talpa/panel-kit/core';
import { nonceForStyles } from '@talpa/panel-kit/ui';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

nonceForStyles();
startLanguage(panelConfig().defaultLanguage);
const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
