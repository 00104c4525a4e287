/** See lock.mjs: plain JavaScript, because the bootstrap runs before there is a Node for TypeScript. */
export function holdLock(name: string, onWait?: () => void): Promise<() => void>;
export function tryLock(name: string): Promise<(() => void) | null>;
export function folderLock(purpose: string, folder: string): string;
