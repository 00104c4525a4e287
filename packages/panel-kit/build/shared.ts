import { createRequire } from 'node:module';

/** Modules of which there is exactly one in the browser, by the request that asks for them. */
const libraries = ['react', 'react-dom', '@tanstack/react-query'] as const;
/**
 * antd is imported by these entry modules alone, so that only what we use of it is loaded (shared as a
 * whole it weighs 440 kB); what they hold (contexts, caches, stores) must exist once.
 */
const entries = {
  '@talpa/panel-kit': ['core', 'router', 'ui', 'form', 'table', 'date'],
  '@talpa/panel-features': ['proxies', 'proxy-status', 'audit', 'notifications', 'channels'],
} as const;

const require = createRequire(import.meta.url);
const versionOf = (name: string): string => require(`${name}/package.json`).version;

interface Share {
  readonly singleton: true;
  readonly version: string;
  readonly requiredVersion: string;
  /** A remote brings no copy of its own: the shell is the only provider. */
  readonly import?: false;
}

/** What the shell provides and the remotes use; the one list for all federation configs. */
export function sharedBy(role: 'shell' | 'remote'): Record<string, Share> {
  const share = (version: string): Share => ({
    singleton: true,
    version,
    requiredVersion: version,
    ...(role === 'remote' ? { import: false } : {}),
  });
  return {
    ...Object.fromEntries(libraries.map((name) => [name, share(versionOf(name))])),
    // Without the slash the subpaths (react/jsx-runtime, react-dom/client) would not be shared.
    'react/': share(versionOf('react')),
    'react-dom/': share(versionOf('react-dom')),
    ...Object.fromEntries(
      Object.entries(entries).flatMap(([name, ofPackage]) =>
        ofPackage.map((entry) => [`${name}/${entry}`, share(versionOf(name))]),
      ),
    ),
  };
}
