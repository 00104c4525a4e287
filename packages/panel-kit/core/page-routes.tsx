import type { ComponentType, ReactNode } from 'react';
import type { RouteObject } from 'react-router-dom';
import type { PageDeclaration, Pages } from '../pages.ts';
import { lazyPage } from './lazy-page.tsx';
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
    return { path, element: wrap(<Page />) };
  });
}

/** A page's title in the language that is shown. */
export function useTitleOf({ title }: PageDeclaration): string {
  return title[useLanguage()] ?? title.de;
}
