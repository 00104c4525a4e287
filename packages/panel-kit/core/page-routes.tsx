import type { ComponentType, ReactNode } from 'react';
import type { RouteObject } from 'react-router-dom';
import type { PageDeclaration, Pages } from '../pages.ts';
import { lazyPage } from './lazy-page.tsx';
import { useUser } from './session.tsx';
import { fillText } from './texts/fill-text.ts';
import { useLanguage } from './texts/language.ts';

/**
 * The routes of a remote. Each page is loaded when it is opened first.
 * @param load a function per page that imports its component
 * @param wrap what is around each page
 */
export function routesOf<Declared extends Pages>(
  pages: Declared,
  load: Readonly<Record<keyof Declared, () => Promise<ComponentType>>>,
  wrap: (page: ReactNode) => ReactNode = (page) => page,
): RouteObject[] {
  return Object.entries(pages).map(([name, { path }]) => {
    const Page = lazyPage(load[name as keyof Declared]);
    return { path, element: wrap(<Page />), handle: { loadAhead: Page.loadAhead } };
  });
}

/** What stands at the head of a page, in the language that is shown; `Page` shows it. */
interface Head {
  readonly title: string;
  readonly name: string;
  readonly subtitle?: string;
}

/** A page's head, as it is declared: known before the page's code is there. */
export function useHeadOf({ title, heading = title, subtitle }: PageDeclaration): Head {
  const language = useLanguage();
  const { username } = useUser();
  const say = (words: { readonly de: string; readonly en?: string }) =>
    fillText(words[language] ?? words.de, { name: username });
  return { title: say(heading), name: say(title), ...(subtitle ? { subtitle: say(subtitle) } : {}) };
}
