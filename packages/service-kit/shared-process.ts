import { AsyncLocalStorage } from 'node:async_hooks';

/** Who does what is done now, in a process that several services share. */
const present = new AsyncLocalStorage<string>();
const names = new Set<string>();
let isShared = false;

/** From now on `perMember` keeps apart. To be called before the modules that use it are loaded. */
export function shareProcess(): void {
  isShared = true;
}

export const sharesProcess = (): boolean => isShared;

/** Does something as one of the services that share this process: all that comes of it is that service's too. */
export function asMember<T>(name: string, work: () => T): T {
  names.add(name);
  return present.run(name, work);
}

/** The services that share this process. */
export const memberNames = (): readonly string[] => [...names];

/**
 * What a module would have once: each service of a shared process gets its own, and the process itself one more.
 * @param make called at once where the process is not shared, else for each when it first asks
 */
export function perMember<T>(make: () => T): () => T {
  if (!isShared) {
    const only = make();
    return () => only;
  }
  const made = new Map<string | undefined, T>();
  return () => {
    const member = present.getStore();
    if (!made.has(member)) made.set(member, make());
    return made.get(member) as T;
  };
}
