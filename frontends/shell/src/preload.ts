import type { PanelConfig } from '@talpa/contracts';
import { asksForFactor } from '@talpa/contracts/factor-policy';
import { requestEarly, takeEarlyResponse } from '@talpa/panel-kit/early-response';
import { type PageDeclaration, readsOf } from '@talpa/panel-kit/pages';
import { authPath, forgottenPath } from './paths.ts';
import { pageAt } from './remotes/pages.ts';

/** What a remote's build says of its files: those of its entry, and of each page with the shared modules it needs. */
interface RemoteFiles {
  readonly entry: Needs;
  readonly pages: Readonly<Record<string, Needs>>;
}
interface Needs {
  readonly files: readonly string[];
  readonly shared: readonly string[];
}

/** What the frame around each page of a signed-in user reads. */
const frameReads = ['GET /api/user/preferences', 'GET /api/user/notifications/unread-count'] as const;

/** The shell's own pages that are opened first, with what they load. */
const ownPages: Readonly<Record<string, OwnPage>> = {
  [authPath]: { module: './auth/auth-page.tsx', reads: ['GET /api/sign-in-providers'] },
  [forgottenPath]: { module: './auth/forgotten-page.tsx', reads: [] },
};
interface OwnPage {
  readonly module: string;
  readonly reads: NonNullable<PageDeclaration['reads']>;
}

/**
 * Requests what the first page needs while the rest of the code is on its way. Without it code, session, remote and page
 * are requested one after the other. Everything is requested again, and failures are shown, by the code that needs it.
 */
export function preloadFirstPage(): void {
  // `npm run dev` names no files.
  if (!document.getElementById('preload-files')?.textContent?.startsWith('{')) return;
  const shared = readJson<Readonly<Record<string, readonly string[]>>>('preload-files');
  const own = ownPages[location.pathname];
  const found = pageAt(location.pathname);
  if (own) preloadOwnPage(own, shared[own.module] ?? []).catch(() => {});
  else if (found) preloadRemotePage(found, shared).catch(() => {});
}

/** Signed-in users are led on to another page. */
async function preloadOwnPage({ reads }: OwnPage, files: readonly string[]): Promise<void> {
  const response = await requestEarly('/api/user');
  if (response.status !== 401) return;
  requestReads(reads);
  await frameIsThere();
  preload(files, '/');
}

async function preloadRemotePage(
  { remote, name, page }: NonNullable<ReturnType<typeof pageAt>>,
  shared: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const session = requestEarly('/api/user')
    .then(userOf)
    .catch(() => null);
  // Only administrators get the files of theirs.
  if (remote === 'admin' && !(await session)?.isAdmin) return;
  void requestEarly(`/remotes/${remote}/mf-manifest.json`);
  const filesPath = `/remotes/${remote}/preload.json`;
  const files = takeEarlyResponse(filesPath) ?? fetch(filesPath);
  const user = await session;
  // They see another page.
  const config = readJson<PanelConfig>('panel-config');
  if (!user || asksForFactor(config.secondFactor, user)) return;
  requestReads([...frameReads, ...readsOf(page, config)]);
  const { entry, pages }: RemoteFiles = await (await files).json();
  await frameIsThere();
  const needs = [entry, pages[name]].filter((one) => one !== undefined);
  preload(
    needs.flatMap(({ files }) => files),
    `/remotes/${remote}/`,
  );
  preload(
    needs.flatMap(({ shared: modules }) => modules.flatMap((module) => shared[module] ?? [])),
    '/',
  );
}

function requestReads(reads: OwnPage['reads']): void {
  for (const read of reads) void requestEarly(read.slice('GET '.length));
}

/**
 * Settles once the frame's files are there. Requested earlier, the page's files would share the line with them, and the
 * frame would be drawn later; requested now, they arrive while the frame is drawn.
 */
async function frameIsThere(): Promise<void> {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="preload"][as="script"]');
  const missing = [...links].filter(({ href }) => performance.getEntriesByName(href).length === 0);
  await Promise.all(
    missing.map(
      (link) =>
        new Promise((resolve) => {
          link.addEventListener('load', resolve);
          link.addEventListener('error', resolve);
        }),
    ),
  );
}

interface User {
  readonly isAdmin: boolean;
}

/** The signed-in user; null: there is none. The response stays unread for the code that takes it. */
async function userOf(response: Response): Promise<User | null> {
  return response.ok ? ((await response.clone().json()) as User) : null;
}

function readJson<T>(id: string): T {
  return JSON.parse(document.getElementById(id)?.textContent ?? '') as T;
}

function preload(files: readonly string[], folder: string): void {
  for (const file of new Set(files)) {
    const link = document.createElement('link');
    link.rel = 'preload';
    link.as = file.endsWith('.css') ? 'style' : 'script';
    link.href = folder + file;
    document.head.append(link);
  }
}
